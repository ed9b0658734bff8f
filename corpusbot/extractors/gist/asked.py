"""What is asked of the runs: of all features, those that the trees have a use for.

The others, which did less than a thousandth of the trees' work each, are left out: without them the pages of
`make eval-extract` are read as well, and faster. `python -m bench.train --choose` chooses anew.
"""

FIRST = (
    "characters", "cnr", "kind", "has_body", "in_description", "repeated", "said_least", "said_most", "in_main",
    "in_aside", "in_footer", "in_figcaption", "words_own_least", "words_own_most", "words_own_sum", "words_path_least",
    "words_path_most", "words_path_sum", "words_depth", "tag_1", "words_own_least_1", "words_own_most_1",
    "words_own_sum_1", "words_own_least_2", "words_own_most_2", "words_own_sum_2", "tag_0", "c2_length",
    "c4_length", "c2_share", "c3_share", "c4_share", "c2_good", "c3_good", "c4_good", "c3_good_density",
    "c2_link_density", "c3_link_density", "c4_link_density", "c2_cnr", "c3_cnr", "c4_cnr", "c3_runs", "c4_runs",
    "c3_mean", "c4_mean", "c4_ends", "c2_headings", "c3_headings", "c4_headings", "c4_commas", "c4_known",
    "c4_place", "rank", "rank_from_end", "before", "good_before", "good_after", "from_title", "page_runs",
    "page_length", "page_good", "page_good_share", "page_link_density", "share_of_longest", "good_within_2",
    "links_within_2", "links_within_5", "until_good", "alike_count", "alike_share", "alike_mean", "alike_good",
    "alike_ends", "since_heading", "heading_level", "heading_said", "firsts_before", "firsts", "articles",
    "article_good", "article_of_largest", "says_article", "says_website", "types_article", "types_product",
    "types_list", "words_path_sum-2", "cnr-1", "words_path_sum-1", "cnr+1", "share_lower_words+1",
    "words_path_sum+1", "said_sum+1", "cnr+2", "words_path_sum+2", "as_comments", "as_caption", "as_media",
    "as_consent", "as_menu", "as_text", "as_comments_of_page", "as_forum_of_page", "as_product_of_page",
    "as_reviews_of_page", "as_related_of_page", "as_list_of_page",
)  # fmt: skip
SECOND = (
    "since_sure", "until_sure", "score", "score_above", "content_share", "content_before", "is_repetition",
    "score-1", "near_1", "near_8", "near_20", "in_0_mean", "in_1_mean", "in_2_mean", "in_3_mean", "in_4_mean",
    "in_1_share", "in_2_share", "in_3_share", "in_4_share", "in_1_besides", "in_2_besides", "in_4_besides",
    "like_mean", "like_share", "like_besides", "beside_mean", "main_0.5_share", "main_0.5_mean",
    "main_0.5_distance", "main_0.5_place", "main_0.8_share", "main_0.8_mean", "main_0.8_distance", "main_0.8_place",
    "section_length", "section_mean", "section_mean_next", "heading_score", "page_content", "page_content_share",
    "page_likely", "page_sure", "page_likely_length", "page_sure_length", "page_unsure", "best_score", "expected",
    "highest", "characters", "kind", "page_length", "page_good_share", "page_link_density", "as_media",
    "as_consent", "as_text", "as_comments_of_page", "as_forum_of_page", "as_product_of_page", "as_reviews_of_page",
    "as_related_of_page", "as_list_of_page",
)  # fmt: skip
