"""What of a system can be swept, as functions of many points at once; systems declare it, as they do their maps."""
