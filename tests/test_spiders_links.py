"""Links of index pages, before anything is built from them."""

from lxml.html import document_fromstring

from spiders.links import next_page, of_site, page_links, site_hosts

INDEX = """<html><body><a href="/a.html"><img src=x></a><a href="/a.html">Una  <b>noticia</b></a>
<a href=" /b.html#comentarios ">Dos</a><a href="mailto:x@y.example">c</a><a href="javascript:void(0)">d</a>
<a href="https://otro.example/z.html">fuera</a><a href="//diario.example/c.html">Tres</a><a href="http://[">mal</a>
<a>sin</a><a rel="next" href="?pagina=2">más</a></body></html>"""
URL = "https://www.diario.example/espana/"


def test_each_address_once_with_its_text() -> None:
    """Addresses are absolute, each once, without fragment, with the first anchor text that says something."""
    links = page_links(document_fromstring(INDEX), URL)
    assert links["https://www.diario.example/a.html"] == "Una noticia"
    assert links["https://www.diario.example/b.html"] == "Dos"
    assert links["https://diario.example/c.html"] == "Tres"
    assert not any(url.startswith(("mailto", "javascript")) for url in links)


def test_a_base_element_counts() -> None:
    """A BASE element moves relative addresses."""
    tree = document_fromstring('<html><head><base href="/otra/"></head><body><a href="x.html">x</a></body></html>')
    assert list(page_links(tree, URL)) == ["https://www.diario.example/otra/x.html"]


def test_only_the_newspaper_s_own_hosts() -> None:
    """Hosts are the home's without www and those below it; a share link elsewhere is none."""
    hosts = site_hosts(["https://www.diario.example/", ""])
    urls = [
        "https://diario.example/a", "https://blogs.diario.example/b", "https://notdiario.example/c",
        "https://red.example/share?u=https://diario.example/a",
    ]  # fmt: skip
    assert list(of_site(urls, hosts)) == urls[:2]


def test_the_next_page_by_css_or_xpath() -> None:
    """The selector of the site file names the link to the next page, or its address."""
    tree = document_fromstring(INDEX)
    assert next_page(tree, URL, "a[rel=next]") == URL + "?pagina=2"
    assert next_page(tree, URL, "//a[@rel='next']/@href") == URL + "?pagina=2"
    assert next_page(tree, URL, "a.siguiente") is None
