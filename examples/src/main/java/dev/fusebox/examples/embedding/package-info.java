/// A program that embeds a whole gateway. For Java 25, as the gateway is.
@NullMarked
package dev.fusebox.examples.embedding;

import org.jspecify.annotations.NullMarked;
