/// Configuration: its keys and their types, and the reading and validation of configuration files.
@org.jspecify.annotations.NullMarked
package dev.fusebox.gateway.config;
