"""Views that labs share: functions from what is shown to a picture, a text, or numbers."""
