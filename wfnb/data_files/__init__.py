"""what people write in a `.wfnb` folder -> data: strategies, kinds of investigations, YAML."""
