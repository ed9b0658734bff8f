"""Where a crawl goes: the one spider behind every site file, and how pages are asked for."""
