"""The YAML files: what they can say, and what they do say."""
