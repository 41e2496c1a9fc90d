package jsonserialization

// Memory is the pool that writers work in.
var Memory = &memory
