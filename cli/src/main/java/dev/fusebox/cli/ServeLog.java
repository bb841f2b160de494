package dev.fusebox.cli;

import dev.fusebox.client.redaction.Redactor;
import dev.fusebox.config.LogLevel;
import dev.fusebox.gateway.ProgramLog;
import dev.fusebox.platform.Ticker;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// The adapter from [GatewayLog] to the gateway that `serve` runs; apart from it, so that other commands do not
/// load classes of the gateway. Thread-safe; does not block.
record ServeLog(Ticker ticker) implements ProgramLog {
    @Override
    public void hide(Supplier<Redactor> secrets) {
        GatewayLog.hide(secrets);
    }

    @Override
    public void level(LogLevel level) {
        GatewayLog.from(level);
    }

    @Override
    public Copy copyTo(Consumer<String> reader) {
        return GatewayLog.copyTo(reader, ticker)::close;
    }
}
