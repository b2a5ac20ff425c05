"""The kiosk node, which serves the web page."""
