/// Small programs that show how the breaker library is used. Each is one file that can be copied and run.
///
/// Between the comments `region` and `end` stand the lines that the documentation shows.
@NullMarked
package dev.fusebox.examples;

import org.jspecify.annotations.NullMarked;
