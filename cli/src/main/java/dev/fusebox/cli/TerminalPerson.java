package dev.fusebox.cli;

import dev.fusebox.oauth.LoginFlow;
import dev.fusebox.oauth.login.AuthorizationRequest;
import dev.fusebox.oauth.login.AuthorizationResponse;
import dev.fusebox.oauth.login.BrowserOpener;
import dev.fusebox.oauth.login.CallbackListener;
import dev.fusebox.oauth.login.PendingLogin;
import dev.fusebox.oauth.protocol.DeviceCode;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonWriter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/// The person at the terminal: opens the browser for them, or prints the URL and reads what they paste. For one
/// thread; a second one reads standard input until the process ends.
record TerminalPerson(Platform platform, Terminal terminal, String server, LoginOptions options)
        implements LoginFlow.Person {
    /// Where the person reads and writes.
    record Terminal(InputStream in, CommandOutput output) {}

    private CommandOutput output() {
        return terminal.output();
    }

    @Override
    public void authorize(URI url, CallbackListener callbackListener, AuthorizationRequest request) {
        BrowserOpener browser = new BrowserOpener(platform);
        boolean isWanted = options.withBrowser() && browser.hasDisplay();
        String problem = isWanted ? browser.open(url) : "";
        if (options.asJson()) {
            output().out()
                    .println(new JsonWriter()
                            .beginObject()
                            .name("server")
                            .string(server)
                            .name("authorizationUrl")
                            .string(url.toASCIIString())
                            .endObject());
        } else if (problem == null) {
            output().err()
                    .println("fusebox: opened a browser for the login to " + server + "; if there is none, open:");
            output().out().println(url.toASCIIString());
        } else {
            if (!problem.isEmpty()) {
                output().err().println("fusebox: no browser was opened: " + problem);
            }
            output().err().println("fusebox: open this page in a browser to log in to " + server + ":");
            output().out().println(url.toASCIIString());
            output().err()
                    .println("fusebox: if the browser is on another machine, its last page cannot be loaded: then"
                            + " paste the address of that page here:");
        }
        output().out().flush();
        Thread.ofPlatform().daemon().name("fusebox-login-input").start(() -> read(callbackListener, request));
    }

    /// Standard input cannot be read with a limit; the thread ends with the process.
    private void read(CallbackListener callbackListener, AuthorizationRequest request) {
        BufferedReader in = new BufferedReader(new InputStreamReader(terminal.in(), StandardCharsets.UTF_8));
        try {
            String line = in.readLine();
            while (line != null && !accepted(line, callbackListener, request)) {
                line = in.readLine();
            }
        } catch (IOException closed) {
            // The browser can still finish the login.
        }
    }

    private boolean accepted(String line, CallbackListener callbackListener, AuthorizationRequest request) {
        if (line.isBlank()) {
            return false;
        }
        AuthorizationResponse response = AuthorizationResponse.pasted(line, request);
        if (response instanceof AuthorizationResponse.Invalid(String reason)) {
            output().err().println("fusebox: not accepted: " + reason);
        }
        return callbackListener.take(response);
    }

    @Override
    public void enterCode(DeviceCode deviceCode) {
        if (options.asJson()) {
            output().out()
                    .println(new JsonWriter()
                            .beginObject()
                            .name("server")
                            .string(server)
                            .name("verificationUri")
                            .string(deviceCode.verificationUri().toASCIIString())
                            .name("userCode")
                            .string(deviceCode.userCode())
                            .endObject());
        } else {
            output().out()
                    .println("open " + deviceCode.verificationUri().toASCIIString() + " on any device and enter "
                            + OutputText.plain(deviceCode.userCode()));
        }
        output().out().flush();
    }

    @Override
    public void join(PendingLogin pendingLogin) {
        output().err()
                .println("fusebox: a login to " + server + " is already in progress (process " + pendingLogin.pid()
                        + "); waiting for its end");
        String code = pendingLogin.userCode();
        if (options.asJson()) {
            output().out()
                    .println(new JsonWriter()
                            .beginObject()
                            .name("server")
                            .string(server)
                            .name("authorizationUrl")
                            .string(pendingLogin.url().toASCIIString())
                            .name("userCode")
                            .string(code)
                            .endObject());
        } else {
            output().out().println(pendingLogin.url().toASCIIString());
            if (code != null) {
                output().err().println("fusebox: enter the code " + OutputText.plain(code) + " there");
            }
        }
        output().out().flush();
    }

    /// Ctrl-C ends the process.
    @Override
    public boolean isGone() {
        return false;
    }
}
