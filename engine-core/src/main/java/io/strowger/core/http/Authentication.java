package io.strowger.core.http;

import io.strowger.core.access.TrustedProxies;
import io.strowger.core.authentication.Authenticator;
import io.strowger.core.authentication.Caller;
import io.strowger.core.authentication.KeyRequirement;
import io.strowger.core.dialect.ErrorEnvelope;
import io.strowger.core.wire.WireRequest;
import java.net.InetAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Determines the caller and the client address of a request from its headers alone. Contract:
 * "Authentication". Safe on any thread.
 *
 * @param authenticator finds callers by their API keys
 * @param proxies the proxies whose headers may name the client's address
 */
public record Authentication(Authenticator authenticator, TrustedProxies proxies) {
  public Authentication {
    Objects.requireNonNull(authenticator, "authenticator");
    Objects.requireNonNull(proxies, "proxies");
  }

  /** Returns the request with the client's address, as trusted proxies report it. */
  WireRequest withClientAddress(WireRequest request) {
    InetAddress peer = request.client();
    return peer == null
        ? request
        : request.withClient(proxies.client(peer, name -> request.headers().all(name)));
  }

  /**
   * Returns who sent a request.
   *
   * @param request a request that {@link #withClientAddress} returned
   * @throws io.strowger.spi.error.GatewayException 401 without a credential that is known, enabled
   *     and not expired; 429 after too many wrong credentials from the same address
   */
  Caller authenticate(WireRequest request) {
    return authenticator.caller(authorization(request), request.client(), request.cancellation());
  }

  /**
   * Returns who sent a request.
   *
   * @throws io.strowger.spi.error.GatewayException as {@link #authenticate}, and 403 for the wrong
   *     kind of key
   */
  Caller authenticate(WireRequest request, KeyRequirement keyRequirement) {
    Caller caller = authenticate(request);
    Authenticator.check(caller, keyRequirement);
    return caller;
  }

  /**
   * Returns the value of the {@code Authorization} header; null when there is none. The paths of
   * the messages dialect also accept a key in {@code x-api-key}; it is returned in the same form.
   */
  private static @Nullable String authorization(WireRequest request) {
    String bearer = request.headers().first("Authorization");
    if (bearer != null || Routes.envelope(request.path()) != ErrorEnvelope.MESSAGES) {
      return bearer;
    }
    String key = request.headers().first("x-api-key");
    return key == null ? null : "Bearer " + key;
  }
}
