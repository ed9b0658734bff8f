"""What a page says about itself: title, authors, dates, section, language, address, tags, rights."""
