/// The rules of the house as tests. A rule is a small class or method that turns what it looks at into a list of
/// violations, each a sentence with the place in front. For every rule there are two tests: one runs it over
/// the checkout and wants no violation, the other gives it something that offends and wants it found.
@NullMarked
package dev.fusebox.conventions;

import org.jspecify.annotations.NullMarked;
