package dev.fusebox.oauth;

import dev.fusebox.fixtures.oauth.AuthorizationServer;
import dev.fusebox.oauth.login.AuthorizationRequest;
import dev.fusebox.oauth.login.CallbackListener;
import dev.fusebox.oauth.protocol.DeviceCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

/// A person whose browser opens the page of the authorization server, and does to the callback what a test says.
/// Thread-safe.
final class HostileBrowser implements LoginFlow.Person {
    /// Everything that the person was sent to.
    final List<String> opened = new CopyOnWriteArrayList<>();
    /// The responses of the callback.
    final List<String> pages = new CopyOnWriteArrayList<>();

    private final AuthorizationServer issuer;
    private volatile Visit visit = (it, callback) -> it.get(callback);
    private volatile boolean isGone;

    /// What happens after the authorization server has redirected the browser.
    @FunctionalInterface
    interface Visit {
        /// Called once for each page that was opened.
        ///
        /// @param callback where the browser was redirected to
        void to(HostileBrowser browser, String callback) throws IOException;
    }

    HostileBrowser(AuthorizationServer issuer) {
        this.issuer = issuer;
    }

    void visits(Visit other) {
        visit = other;
    }

    @Override
    public void authorize(URI url, CallbackListener callbackListener, AuthorizationRequest request) {
        opened.add(url.toString());
        isGone = false;
        Thread flow = Thread.currentThread();
        Thread.ofVirtual().start(() -> {
            try {
                visit.to(this, redirect(url, request));
            } catch (IOException refused) {
                pages.add("no answer");
            } finally {
                isGone = true;
                LockSupport.unpark(flow);
            }
        });
    }

    /// A page that this test does not serve redirects with a code of its own.
    private String redirect(URI url, AuthorizationRequest request) throws IOException {
        if (!url.toString().startsWith(issuer.issuer())) {
            return request.redirectUri() + "?code=a-code&state=" + request.state() + "&iss="
                    + URLEncoder.encode(request.issuer(), StandardCharsets.UTF_8);
        }
        String response = exchange(url.toString(), "GET", List.of());
        return response.replaceFirst("(?is).*\nlocation: *([^\r\n]*).*", "$1");
    }

    void get(String callback) throws IOException {
        send(callback, "GET");
    }

    /// A request to the callback.
    ///
    /// @param fields of its head besides `Host`, unless that is the first
    void send(String callback, String method, String... fields) throws IOException {
        pages.add(exchange(callback, method, List.of(fields)));
    }

    private static String exchange(String url, String method, List<String> fields) throws IOException {
        String authority = url.replaceFirst("http://([^/]*)/.*", "$1");
        List<String> head = new ArrayList<>();
        head.add(method + url.replaceFirst("http://[^/]*", " ") + " HTTP/1.1");
        if (fields.isEmpty() || !fields.getFirst().startsWith("Host:")) {
            head.add("Host: " + authority);
        }
        head.addAll(fields);
        head.add("Content-Length: 0");
        head.add("Connection: close");
        int port = Integer.parseInt(authority.replaceFirst(".*:", ""));
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            String request = String.join("\r\n", head) + "\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Override
    public void enterCode(DeviceCode deviceCode) {
        opened.add(deviceCode.verificationUri().toString());
    }

    @Override
    public boolean isGone() {
        return isGone;
    }
}
