package dev.fusebox.cli;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The keys of the configuration of which a test shows that another value makes something else happen, each with its
/// place: `breaker.mode`.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface Shows {
    String[] value();
}
