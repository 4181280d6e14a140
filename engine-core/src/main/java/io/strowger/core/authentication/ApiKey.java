package io.strowger.core.authentication;

import io.strowger.core.ledger.Budget;
import io.strowger.core.ledger.Payer;
import io.strowger.core.resource.KeyLimit;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.KeyId;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A stored key, without its plaintext. Contract: "API key"; resources fact sheet, section 3.
 *
 * @param id the permanent id of the key: the SHA-256 of its first plaintext. Its spending is
 *     counted under this id, and references inside the gateway use it
 * @param secrets the SHA-256 of its current and former plaintexts
 * @param origin the properties that are set when it is created
 * @param setting the properties that an update may change
 * @param createdAt when it was created, in whole microseconds
 * @param updatedAt when it was last updated; null until the first update
 */
public record ApiKey(
    KeyId id,
    Secrets secrets,
    Origin origin,
    Setting setting,
    Instant createdAt,
    @Nullable Instant updatedAt) {
  public ApiKey {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(secrets, "secrets");
    Objects.requireNonNull(origin, "origin");
    Objects.requireNonNull(setting, "setting");
    Objects.requireNonNull(createdAt, "createdAt");
  }

  /**
   * The SHA-256 of the plaintexts of a key.
   *
   * @param hash that of the current one; in hexadecimal the contract's {@code hash}
   * @param formerHashes those of earlier ones, the latest first
   */
  public record Secrets(KeyId hash, List<FormerHash> formerHashes) {
    public Secrets {
      Objects.requireNonNull(hash, "hash");
      formerHashes = List.copyOf(formerHashes);
    }
  }

  /**
   * A plaintext a key had before it was rotated.
   *
   * @param until when the plaintext becomes invalid
   */
  public record FormerHash(KeyId hash, Instant until) {}

  /** Returns the SHA-256 of the current plaintext, in hexadecimal the contract's {@code hash}. */
  public KeyId hash() {
    return secrets.hash();
  }

  /**
   * Returns when a plaintext of this key becomes invalid, expiry included; null for never.
   *
   * @param hash the SHA-256 of the plaintext; for an unknown one the result is in the past
   */
  public @Nullable Instant validUntil(KeyId hash) {
    Instant expires = origin.expiresAt();
    if (hash.equals(secrets.hash())) {
      return expires;
    }
    Instant until =
        secrets.formerHashes().stream()
            .filter(former -> former.hash().equals(hash))
            .map(FormerHash::until)
            .findFirst()
            .orElse(Instant.EPOCH);
    return expires != null && expires.isBefore(until) ? expires : until;
  }

  /** Returns whether it is a management key that is enabled and has not expired. */
  public boolean isActiveManagementKey(Instant at) {
    Instant expires = origin.expiresAt();
    return origin.isManagement()
        && !setting.disabled()
        && (expires == null || at.isBefore(expires));
  }

  /**
   * The properties of a key that are set when it is created.
   *
   * @param label the current plaintext, masked
   * @param isManagement whether it manages the account; such a key cannot ask for inference
   * @param workspaceId the id of its workspace, a UUID
   * @param creatorUserId the user it was made for
   * @param external the owner of the key at a partner; null when no partner is involved
   * @param expiresAt when it expires; null for never
   */
  public record Origin(
      String label,
      boolean isManagement,
      String workspaceId,
      String creatorUserId,
      @Nullable External external,
      @Nullable Instant expiresAt) {
    public Origin {
      Objects.requireNonNull(label, "label");
      Objects.requireNonNull(workspaceId, "workspaceId");
      Objects.requireNonNull(creatorUserId, "creatorUserId");
    }
  }

  /**
   * The owner of a key at a partner.
   *
   * @param user the partner's own name for the user
   * @param apiKey SHA-256 of the partner's BYOK key, which no answer shows; null for none
   */
  public record External(String user, @Nullable KeyId apiKey) {}

  /**
   * The properties of a key that an update may change.
   *
   * @param name the display name
   * @param disabled whether the key is refused until it is enabled again
   */
  public record Setting(String name, boolean disabled, KeyLimit limit) {
    public Setting {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(limit, "limit");
    }
  }

  /** Returns the key itself as a payer, with the key's own limit. */
  public Payer payer() {
    KeyLimit limit = setting.limit();
    Usd amount = limit.amount();
    return new Payer(
        Payer.Kind.KEY,
        id.hex(),
        amount == null
            ? List.of()
            : List.of(new Budget(limit.reset(), amount, limit.includeByok())));
  }

  @Override
  public String toString() {
    return "key " + hash() + " \"" + setting.name() + '"';
  }
}
