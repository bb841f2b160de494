package dev.fusebox.interop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.CookieHandler;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// A user of an authorization server without a browser: follows redirects, keeps cookies and submits the forms of
/// login and consent over HTTP. Immutable; each visit is a new browser, and blocks until its last page.
///
/// @param fields values for the input fields and buttons of forms, by their names
record ScriptedPerson(Map<String, String> fields) {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /// A login has five pages and as many redirects.
    private static final int STEPS = 20;

    private static final Pattern FORM = Pattern.compile("<form\\b([^>]*)>(.*?)</form>", Pattern.DOTALL);
    private static final Pattern FIELD = Pattern.compile("<(?:input|button)\\b([^>]*)>");
    private static final Pattern ATTRIBUTE = Pattern.compile("([\\w-]+)=\"([^\"]*)\"");

    /// Who logs in and agrees to everything.
    static ScriptedPerson agreeing(String name) {
        return new ScriptedPerson(Map.of("username", name, "decision", "approve"));
    }

    /// Who logs in and agrees to nothing.
    static ScriptedPerson refusing(String name) {
        return new ScriptedPerson(Map.of("username", name, "decision", "deny"));
    }

    ScriptedPerson with(String field, String value) {
        Map<String, String> more = new LinkedHashMap<>(fields);
        more.put(field, value);
        return new ScriptedPerson(Map.copyOf(more));
    }

    /// Opens an authorization URL, and returns the URL to which the authorization server sends the browser at the
    /// end, which is not opened.
    String authorize(String authorizationUrl) {
        String callback = parameter(authorizationUrl, "redirect_uri");
        try (HttpClient browser = browser()) {
            return walk(browser, get(URI.create(authorizationUrl)), callback);
        }
    }

    /// Opens the page for codes of devices, enters the code and logs in; returns the last page.
    String confirmDevice(String verificationUrl, String userCode) {
        try (HttpClient browser = browser()) {
            return with("user_code", userCode).walk(browser, get(URI.create(verificationUrl)), "none");
        }
    }

    private static HttpClient browser() {
        return HttpClient.newBuilder()
                .cookieHandler(new Cookies())
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }

    /// Goes from page to page until a redirect leads to the callback or a page has no form.
    private String walk(HttpClient browser, HttpRequest first, String callback) {
        HttpRequest request = first;
        for (int step = 0; step < STEPS; step++) {
            HttpResponse<String> response = send(browser, request);
            String location = response.headers().firstValue("Location").orElse("");
            if (!location.isEmpty()) {
                URI next = request.uri().resolve(location);
                if (isAt(next, callback)) {
                    return next.toString();
                }
                request = get(next);
                continue;
            }
            Matcher form = FORM.matcher(response.body());
            if (!form.find()) {
                return lastPage(response, callback);
            }
            request = submitted(request.uri(), form);
        }
        throw new AssertionError("the login did not end after " + STEPS + " pages; the last is " + request.uri());
    }

    private static boolean isAt(URI url, String callback) {
        String text = url.toString();
        return text.equals(callback) || text.startsWith(callback + "?") || text.startsWith(callback + "&");
    }

    private static String lastPage(HttpResponse<String> response, String callback) {
        if (callback.equals("none") && response.statusCode() == 200) {
            return response.body();
        }
        throw new AssertionError("the login ended with " + response + ": " + response.body());
    }

    private HttpRequest submitted(URI page, MatchResult form) {
        URI action = page.resolve(attributes(form.group(1)).getOrDefault("action", ""));
        Map<String, String> values = new LinkedHashMap<>();
        FIELD.matcher(form.group(2)).results().forEach(field -> fill(attributes(field.group(1)), values));
        StringBuilder body = new StringBuilder();
        values.forEach((name, value) -> body.append(body.isEmpty() ? "" : "&")
                .append(encode(name))
                .append('=')
                .append(encode(value)));
        return HttpRequest.newBuilder(action)
                .timeout(LIMIT)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
                .build();
    }

    /// Hidden fields are sent as they are. Others, and buttons, are sent if there is a value for them.
    private void fill(Map<String, String> field, Map<String, String> values) {
        String name = field.getOrDefault("name", "");
        String own = fields.get(name);
        if (own != null) {
            values.put(name, own);
        } else if (field.getOrDefault("type", "").equals("hidden")) {
            values.put(name, field.getOrDefault("value", ""));
        }
    }

    private static Map<String, String> attributes(String tag) {
        Map<String, String> attributes = new LinkedHashMap<>();
        ATTRIBUTE.matcher(tag).results().forEach(one -> attributes.put(one.group(1), unescaped(one.group(2))));
        return attributes;
    }

    private static String unescaped(String text) {
        return text.replace("&quot;", "\"").replace("&#39;", "'").replace("&amp;", "&");
    }

    private static HttpRequest get(URI url) {
        return HttpRequest.newBuilder(url).timeout(LIMIT).build();
    }

    private static HttpResponse<String> send(HttpClient browser, HttpRequest request) {
        try {
            return browser.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(request.toString(), e);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted while waiting for a page", e);
        }
    }

    /// The cookies of one visit, which stays on one host. A `CookieManager` answers cookies that have a version with
    /// `$Version` and quotes, as RFC 2965 says and no server understands.
    private static final class Cookies extends CookieHandler {
        private final Map<String, String> values = new ConcurrentHashMap<>();

        @Override
        public Map<String, List<String>> get(URI url, Map<String, List<String>> headers) {
            String all = values.entrySet().stream()
                    .map(cookie -> cookie.getKey() + "=" + cookie.getValue())
                    .collect(Collectors.joining("; "));
            return all.isEmpty() ? Map.of() : Map.of("Cookie", List.of(all));
        }

        @Override
        public void put(URI url, Map<String, List<String>> headers) {
            headers.forEach((name, cookies) -> {
                if (name.equalsIgnoreCase("Set-Cookie")) {
                    cookies.forEach(this::keep);
                }
            });
        }

        /// A cookie that is deleted has an empty value.
        private void keep(String cookie) {
            String pair = cookie.split(";", -1)[0];
            int end = pair.indexOf('=');
            if (end > 0) {
                values.put(
                        pair.substring(0, end).strip(), pair.substring(end + 1).strip());
            }
        }
    }

    /// A parameter of a query, decoded.
    static String parameter(String url, String name) {
        Matcher parameter =
                Pattern.compile("[?&]" + Pattern.quote(name) + "=([^&#]*)").matcher(url);
        if (!parameter.find()) {
            throw new AssertionError("no " + name + " in " + url);
        }
        return URLDecoder.decode(parameter.group(1), StandardCharsets.UTF_8);
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
