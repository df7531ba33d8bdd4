"""What the YAML files can say, and what they do say."""
