package dev.fusebox.oauth.login;

import dev.fusebox.client.Promise;
import dev.fusebox.http.HttpHeaders;
import dev.fusebox.http.HttpMethod;
import dev.fusebox.http.HttpReply;
import dev.fusebox.http.HttpRequest;
import dev.fusebox.http.HttpServer;
import dev.fusebox.http.HttpSettings;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Receiver of the authorization response: an HTTP server on a loopback port, for one login (RFC 8252, 7.3).
/// Thread-safe; [#await] blocks for the person, and [#close] for a moment.
///
/// The first valid response ends the wait. What belongs to another login, or comes from a script of a web page, is
/// refused and changes nothing. The browser gets its page when the outcome of the login is known.
public final class CallbackListener implements AutoCloseable {
    /// The path of redirect URIs.
    public static final String PATH = "/callback";

    /// A token request takes less, or the program that asked for the login shows the outcome.
    private static final Duration OUTCOME_LIMIT = Duration.ofSeconds(30);

    private final Platform platform;
    private final HttpServer httpServer;
    private final Promise<AuthorizationResponse> response = new Promise<>();
    private final Promise<LoginPage> outcome = new Promise<>();
    private final AtomicBoolean isTaken = new AtomicBoolean();
    private volatile @Nullable AuthorizationRequest request;

    private CallbackListener(Platform platform, HttpServer httpServer) {
        this.platform = platform;
        this.httpServer = httpServer;
    }

    /// Listens on the first of these ports that is free; 0 is any free port.
    ///
    /// @throws IOException if none is free; the message says what to do
    public static CallbackListener open(Platform platform, List<Integer> ports) throws IOException {
        Handler handler = new Handler();
        IOException busy = new IOException("no port is given");
        for (int port : ports) {
            try {
                HttpServer server = HttpServer.open(HttpSettings.loopback(port), handler::handle, platform);
                CallbackListener listener = new CallbackListener(platform, server);
                handler.listener = listener;
                return listener;
            } catch (IOException taken) {
                busy = taken;
            }
        }
        throw busy;
    }

    /// The server is open before its listener exists.
    private static final class Handler {
        private volatile @Nullable CallbackListener listener;

        void handle(HttpRequest request, HttpReply reply) throws InterruptedException {
            CallbackListener known = listener;
            if (known == null) {
                LoginPage.of(404, "Not found", "There is no login in progress.").send(reply);
            } else {
                known.handle(request, reply);
            }
        }
    }

    /// The redirect URI of the login.
    public String redirectUri() {
        return "http://127.0.0.1:" + httpServer.port() + PATH;
    }

    /// Accepts the response to this request from now on.
    public void expect(AuthorizationRequest authorizationRequest) {
        request = authorizationRequest;
    }

    /// Takes a response that a person has entered, in place of the browser; false if it is not valid, or late.
    public boolean take(AuthorizationResponse entered) {
        return !(entered instanceof AuthorizationResponse.Invalid)
                && isTaken.compareAndSet(false, true)
                && response.complete(entered);
    }

    /// Waits for the response.
    ///
    /// @param isCancelled its thread is unparked when that changes
    /// @return null if the limit is over, or the wait was cancelled
    public @Nullable AuthorizationResponse await(Duration limit, BooleanSupplier isCancelled)
            throws InterruptedException {
        return response.await(platform, limit, isCancelled);
    }

    /// Tells the browser how the login ended.
    public void finish(LoginPage page) {
        outcome.complete(page);
    }

    // ---- Requests

    private void handle(HttpRequest httpRequest, HttpReply reply) throws InterruptedException {
        AuthorizationRequest expected = request;
        if (!httpRequest.path().equals(PATH) || expected == null) {
            LoginPage.of(404, "Not found", "This address receives the response to a login.")
                    .send(reply);
        } else if (httpRequest.method() != HttpMethod.GET) {
            LoginPage.of(405, "Not possible", "This address is opened by a browser after a login.")
                    .send(reply);
        } else if (!isNavigation(httpRequest.headers())) {
            LoginPage.of(403, "Refused", "A web page cannot finish a login.").send(reply);
        } else {
            receive(AuthorizationResponse.of(httpRequest.query(), expected), reply);
        }
    }

    /// A browser that follows the redirect of the authorization server. Browsers without these headers are old.
    private static boolean isNavigation(HttpHeaders headers) {
        String mode = headers.value("sec-fetch-mode");
        return headers.value("origin") == null && (mode == null || mode.equals("navigate"));
    }

    private void receive(AuthorizationResponse received, HttpReply reply) throws InterruptedException {
        if (received instanceof AuthorizationResponse.Invalid(String reason)) {
            LoginPage.of(400, "Not logged in", "The response was not accepted: " + reason + ".")
                    .send(reply);
        } else if (!isTaken.compareAndSet(false, true)) {
            LoginPage.of(409, "Already finished", "This login has already been finished.")
                    .send(reply);
        } else {
            response.complete(received);
            page(received).send(reply);
        }
    }

    /// The page that says how the login has ended.
    private LoginPage page(AuthorizationResponse received) throws InterruptedException {
        if (received instanceof AuthorizationResponse.Denied(String reason)) {
            return LoginPage.denied(reason);
        }
        LoginPage page = outcome.await(platform, OUTCOME_LIMIT);
        return page == null
                ? LoginPage.of(200, "Almost done", "The program that asked for the login shows whether it succeeded.")
                : page;
    }

    /// Ends the wait of [#await], too.
    @Override
    public void close() {
        response.complete(new AuthorizationResponse.Invalid("the login was ended before it was finished"));
        outcome.complete(LoginPage.of(200, "Not logged in", "The login was ended before it was finished."));
        httpServer.close();
    }
}
