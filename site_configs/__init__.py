"""The site files, one for each newspaper; this module only makes them package data."""
