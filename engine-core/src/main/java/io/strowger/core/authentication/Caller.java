package io.strowger.core.authentication;

import io.strowger.core.audit.AuditActor;
import io.strowger.core.ledger.Payer;
import io.strowger.core.resource.DefaultWorkspace;
import io.strowger.spi.store.KeyId;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The sender of a request: the state of the key that authenticated it. Immutable; holds the key's
 * hash, never its plaintext.
 */
public final class Caller {
  /** The user of a key that names none: the account's owner. */
  public static final String DEFAULT_USER = AuditActor.OWNER;

  private final KeyId key;
  private final String name;
  private final boolean isManagement;
  private final List<Payer> payers;
  private final String owner;
  private final String workspace;
  private final String user;
  private final CallerRestrictions restrictions;
  private final List<KeyId> hashes;

  /**
   * @param key the permanent id of the key
   * @param name the display name of the key
   * @param isManagement whether the key manages the account; such a key cannot ask for inference
   * @param payers the payers of its requests, at least one: the key, its guardrails, its workspace,
   *     the account
   */
  public Caller(KeyId key, String name, boolean isManagement, List<Payer> payers) {
    this.key = Objects.requireNonNull(key, "key");
    this.name = Objects.requireNonNull(name, "name");
    this.isManagement = isManagement;
    this.payers = List.copyOf(payers);
    this.owner = "key:" + key.hex();
    if (payers.isEmpty()) {
      throw new IllegalArgumentException("a caller must have at least one payer");
    }
    this.workspace = DefaultWorkspace.ID;
    this.user = DEFAULT_USER;
    this.restrictions = CallerRestrictions.NONE;
    this.hashes = List.of(key);
  }

  private Caller(
      Caller original,
      String workspace,
      String user,
      CallerRestrictions restrictions,
      List<KeyId> hashes) {
    this.key = original.key;
    this.name = original.name;
    this.isManagement = original.isManagement;
    this.payers = original.payers;
    this.owner = original.owner;
    this.workspace = Objects.requireNonNull(workspace, "workspace");
    this.user = Objects.requireNonNull(user, "user");
    this.restrictions = Objects.requireNonNull(restrictions, "restrictions");
    this.hashes = hashes;
  }

  /**
   * Returns this caller with another workspace and user.
   *
   * @param workspaceId id of its workspace, a UUID
   * @param userId the user that the key was made for
   */
  public Caller withOwner(String workspaceId, String userId) {
    return new Caller(this, workspaceId, userId, restrictions, hashes);
  }

  /** Returns this caller with other restrictions. */
  public Caller withRestrictions(CallerRestrictions newRestrictions) {
    return new Caller(this, workspace, user, newRestrictions, hashes);
  }

  /**
   * Returns this caller with the hashes of its rotated key.
   *
   * @param secrets its plaintexts, by their SHA-256
   */
  public Caller withSecrets(ApiKey.Secrets secrets) {
    var allHashes = new ArrayList<KeyId>();
    allHashes.add(secrets.hash());
    secrets.formerHashes().forEach(former -> allHashes.add(former.hash()));
    if (!allHashes.contains(key)) {
      allHashes.add(key);
    }
    return new Caller(this, workspace, user, restrictions, List.copyOf(allHashes));
  }

  /** Returns the permanent id of the key, which stays the same when the key is rotated. */
  public KeyId key() {
    return key;
  }

  /** Returns the contract's {@code hash}: the SHA-256 of the key's current plaintext. */
  public KeyId hash() {
    return hashes.getFirst();
  }

  /** Returns every hash that names the key: {@link #hash} first, then its former hashes. */
  public List<KeyId> hashes() {
    return hashes;
  }

  /**
   * Returns this caller as the author of a change.
   *
   * @param address where the request came from; null when it is not known
   */
  public AuditActor toAuditActor(@Nullable InetAddress address) {
    return AuditActor.key(hash().hex(), name, user, address);
  }

  public String name() {
    return name;
  }

  public boolean isManagement() {
    return isManagement;
  }

  /**
   * Returns the payers in the order in which their budgets are checked; always the same list
   * object, by which the ledger recognizes the payers.
   */
  public List<Payer> payers() {
    return payers;
  }

  /** Returns {@code key:} and the permanent id of the key in hexadecimal. */
  public String owner() {
    return owner;
  }

  /**
   * Returns the restrictions of this caller's requests, without budgets and without the
   * restrictions of every caller.
   */
  public CallerRestrictions restrictions() {
    return restrictions;
  }

  /** Returns the id of the workspace the key belongs to, a UUID. */
  public String workspace() {
    return workspace;
  }

  /** Returns the user the key was made for: the {@code creator_user_id} of what the key creates. */
  public String user() {
    return user;
  }

  @Override
  public String toString() {
    return name + " (" + key + ")";
  }
}
