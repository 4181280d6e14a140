package io.strowger.core.config;

import io.strowger.spi.provider.Credential;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the store for keys, balances and records.
 *
 * @param url {@code memory:}, {@code jdbc:h2:file:PATH} or {@code jdbc:postgresql://...}
 * @param isUrlSet whether the file sets the URL; otherwise a host may use another store
 * @param user the user of the database; null when it needs none
 * @param password the password of the user; {@link Credential#NONE} for none
 * @param secretKey the key that encrypts the customers' provider keys; null when not set
 */
public record StoreSettings(
    String url,
    boolean isUrlSet,
    @Nullable String user,
    Credential password,
    @Nullable SecretKey secretKey) {
  public StoreSettings {
    Objects.requireNonNull(url, "url");
    Objects.requireNonNull(password, "password");
  }

  /** Returns whether the store is in memory and lost at the end of the process. */
  public boolean isInMemory() {
    return url.equals("memory:");
  }

  static StoreSettings read(Section in) {
    String url =
        in.secret(
            "url",
            "must be memory:, jdbc:h2:file:PATH or jdbc:postgresql://HOST/NAME, with user and"
                + " password beside it",
            StoreSettings::isUrl);
    String user = in.text("user");
    String password = in.secret("password", "must be text", text -> true);
    String key =
        in.secret("secret_key", "must be the base64 form of 32 random bytes", SecretKey::isBase64);
    return new StoreSettings(
        url == null ? "memory:" : url,
        url != null,
        user,
        password == null ? Credential.NONE : new Credential(password),
        key == null ? null : SecretKey.ofBase64(key));
  }

  private static boolean isUrl(String url) {
    return url.equals("memory:")
        || isLongerThan(url, "jdbc:h2:file:")
        || isLongerThan(url, "jdbc:postgresql://") && !url.contains("@");
  }

  private static boolean isLongerThan(String url, String prefix) {
    return url.startsWith(prefix)
        && url.length() > prefix.length()
        && url.length() <= 1000
        && url.chars().noneMatch(Character::isISOControl);
  }

  /** Shows only the beginning of the URL, whose parameters may hold secrets. */
  @Override
  public String toString() {
    int end = url.indexOf(':', url.indexOf(':') + 1);
    return end < 0 ? url : url.substring(0, end + 1) + "...";
  }
}
