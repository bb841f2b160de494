package dev.fusebox.client.http;

import dev.fusebox.client.ErrorId;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// Classifier of failures to connect, by the types of the exceptions. Pure functions.
final class ConnectFailure {
    /// More than any chain of causes that TLS makes.
    private static final int DEEPEST = 10;

    private ConnectFailure() {}

    /// [ErrorId#CONNECT_FAILED] if the types do not show the cause.
    static ErrorId errorId(@Nullable Throwable why) {
        return switch (why) {
            case ConnectException refused -> ErrorId.CONNECTION_REFUSED;
            case NoRouteToHostException nowhere -> ErrorId.NETWORK_UNREACHABLE;
            case SSLException tls -> ofTls(tls);
            case null, default -> ErrorId.CONNECT_FAILED;
        };
    }

    /// The innermost significant cause. A host name that does not match is a plain certificate exception, and a
    /// missing path to a trusted authority is wrapped in one.
    private static ErrorId ofTls(SSLException tls) {
        ErrorId found = ErrorId.TLS_FAILED;
        Throwable cause = tls;
        for (int depth = 0; cause != null && depth < DEEPEST; depth++) {
            switch (cause) {
                case CertificateExpiredException expired -> found = ErrorId.CERTIFICATE_EXPIRED;
                case CertificateNotYetValidException early -> found = ErrorId.CERTIFICATE_EXPIRED;
                case CertPathBuilderException builder -> found = ErrorId.CERTIFICATE_UNTRUSTED;
                case CertPathValidatorException validator -> found = ErrorId.CERTIFICATE_UNTRUSTED;
                case CertificateException wrong -> found = ErrorId.CERTIFICATE_OF_ANOTHER;
                default -> {}
            }
            cause = cause.getCause();
        }
        return found;
    }
}
