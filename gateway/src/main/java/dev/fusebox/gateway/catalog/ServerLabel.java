package dev.fusebox.gateway.catalog;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The name of a server in status, logs and events: its name in the configuration, with a number if clients with
/// another folder or other variables need another server of that name (`NAME@2`). Immutable.
///
/// @param server the name in the configuration, which contains no `@`
/// @param instance its number among the servers of this name, from 1 on
public record ServerLabel(String server, int instance) {
    private static final Pattern FURTHER = Pattern.compile("(?<server>[^@]+)@(?<instance>[1-9]\\d{0,5})");

    /// Parses a label; every text is one.
    public static ServerLabel of(String text) {
        Matcher further = FURTHER.matcher(text);
        return further.matches()
                ? new ServerLabel(further.group("server"), Integer.parseInt(further.group("instance")))
                : new ServerLabel(text, 1);
    }

    /// Whether it is `NAME@2` or a later one.
    public boolean isFurther() {
        return instance > 1;
    }

    @Override
    public String toString() {
        return isFurther() ? server + "@" + instance : server;
    }
}
