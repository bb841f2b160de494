package dev.fusebox.cli;

import java.text.MessageFormat;
import java.time.InstantSource;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/// A logger that writes to [GatewayLog]. Immutable; does not block.
record GatewayLogger(String name, InstantSource clock) implements System.Logger {
    @Override
    public String getName() {
        return name;
    }

    @Override
    public boolean isLoggable(Level level) {
        return GatewayLog.isLogged(level);
    }

    @Override
    public void log(Level level, @Nullable ResourceBundle bundle, @Nullable String text, @Nullable Throwable thrown) {
        if (GatewayLog.isLogged(level)) {
            GatewayLog.add(new GatewayLog.Entry(clock.instant(), level, name, String.valueOf(text), thrown));
        }
    }

    @Override
    public void log(
            Level level, @Nullable ResourceBundle bundle, @Nullable String format, @Nullable Object... parameters) {
        if (GatewayLog.isLogged(level)) {
            String text = String.valueOf(format);
            boolean isPlain = parameters == null || parameters.length == 0;
            log(level, bundle, isPlain ? text : MessageFormat.format(text, parameters), (Throwable) null);
        }
    }
}
