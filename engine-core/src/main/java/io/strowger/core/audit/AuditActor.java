package io.strowger.core.audit;

import io.strowger.spi.json.Json;
import java.net.InetAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Who makes a change.
 *
 * @param kind what they act by
 * @param keyHash of the management key that asks; null when none does
 * @param keyName of that key; null when none does
 * @param user whom that key was made for, or whom a host names; null: nobody in particular
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

  /** Whom things are made for where nobody is named: the account's owner. */
  public static final String OWNER = "user_default";

  /** What somebody acts by. */
  public enum Kind {
    /** A management key. */
    API_KEY("api_key"),
    /** The configuration file. */
    CONFIGURATION("configuration"),
    /** The program that embeds the gateway. */
    HOST("host");

    private final String word;

    Kind(String word) {
      this.word = word;
    }
  }

  /** The management key a request came with. */
  public static AuditActor key(
      String hash, String name, String user, @Nullable InetAddress address) {
    return new AuditActor(Kind.API_KEY, hash, name, user, address);
  }

  /** The program that embeds the gateway, for one of its users. */
  public static AuditActor host(String user) {
    return new AuditActor(Kind.HOST, null, null, Objects.requireNonNull(user, "user"), null);
  }

  /** Returns whom what is made counts as made by. */
  public String creator() {
    return user == null ? OWNER : user;
  }

  Json.Obj toJson() {
    return Json.object()
        .put("type", kind.word)
        .putOrNull("key_hash", keyHash)
        .putOrNull("key_name", keyName)
        .putOrNull("user_id", user)
        .putOrNull("address", address == null ? null : text(address))
        .build();
  }

  /** Without the zone, which means nothing elsewhere. */
  private static String text(InetAddress address) {
    String text = address.getHostAddress();
    int zone = text.indexOf('%');
    return zone < 0 ? text : text.substring(0, zone);
  }
}
