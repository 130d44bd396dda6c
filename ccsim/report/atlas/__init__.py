"""The atlas as web pages: a page for each of many classes, and a search in the browser."""
