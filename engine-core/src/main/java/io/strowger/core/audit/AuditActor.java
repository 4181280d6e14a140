package io.strowger.core.audit;

import io.strowger.spi.json.Json;
import java.net.InetAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Who makes a change.
 *
 * @param kind how the actor is identified
 * @param keyHash the hash of the management key that makes the change; null when none does
 * @param keyName the name of that key; null when there is none
 * @param user the user that the key was made for, or the user that the host names; null when there
 *     is none
 * @param address where the request comes from; null when it is not known, or there is no request
 */
public record AuditActor(
    Kind kind,
    @Nullable String keyHash,
    @Nullable String keyName,
    @Nullable String user,
    @Nullable InetAddress address) {
  /** The configuration file, as it is read at the start and on a signal. */
  public static final AuditActor CONFIGURATION =
      new AuditActor(Kind.CONFIGURATION, null, null, null, null);

  /** The creator of resources when no user is named: the account's owner. */
  public static final String OWNER = "user_default";

  /** The kinds of actors. */
  public enum Kind {
    /** A management key. */
    API_KEY("api_key"),
    /** The configuration file. */
    CONFIGURATION("configuration"),
    /** The program that embeds the gateway. */
    HOST("host");

    private final String wireName;

    Kind(String wireName) {
      this.wireName = wireName;
    }
  }

  /** Returns the actor for a request that was sent with a management key. */
  public static AuditActor key(
      String hash, String name, String user, @Nullable InetAddress address) {
    return new AuditActor(Kind.API_KEY, hash, name, user, address);
  }

  /** Returns the actor for the program that embeds the gateway, on behalf of one of its users. */
  public static AuditActor host(String user) {
    return new AuditActor(Kind.HOST, null, null, Objects.requireNonNull(user, "user"), null);
  }

  /** Returns the user that new resources name as their creator. */
  public String creator() {
    return user == null ? OWNER : user;
  }

  Json.Obj toJson() {
    return Json.object()
        .put("type", kind.wireName)
        .putOrNull("key_hash", keyHash)
        .putOrNull("key_name", keyName)
        .putOrNull("user_id", user)
        .putOrNull("address", address == null ? null : text(address))
        .build();
  }

  /** Returns the address without its zone, which means nothing on another host. */
  private static String text(InetAddress address) {
    String text = address.getHostAddress();
    int zone = text.indexOf('%');
    return zone < 0 ? text : text.substring(0, zone);
  }
}
