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
 * Who sent a request: the state of the key it came with. Immutable; holds the key's hash, never the
 * key.
 */
public final class Caller {
  /** Whom a key was made for where nobody is named: the account's owner. */
  public static final String DEFAULT_USER = AuditActor.OWNER;

  private final KeyId key;
  private final String name;
  private final boolean management;
  private final List<Payer> payers;
  private final String owner;
  private final String workspace;
  private final String user;
  private final CallerRestrictions bounds;
  private final List<KeyId> hashes;

  /**
   * @param key identity
   * @param name for people
   * @param management acts on the account and cannot ask for inference; false: the other way round
   * @param payers whose money a request of this key spends: the key, its guardrails, its workspace,
   *     the account
   */
  public Caller(KeyId key, String name, boolean management, List<Payer> payers) {
    this.key = Objects.requireNonNull(key, "key");
    this.name = Objects.requireNonNull(name, "name");
    this.management = management;
    this.payers = List.copyOf(payers);
    this.owner = "key:" + key.hex();
    if (payers.isEmpty()) {
      throw new IllegalArgumentException("a caller must have at least one payer");
    }
    this.workspace = DefaultWorkspace.ID;
    this.user = DEFAULT_USER;
    this.bounds = CallerRestrictions.NONE;
    this.hashes = List.of(key);
  }

  private Caller(
      Caller of, String workspace, String user, CallerRestrictions bounds, List<KeyId> hashes) {
    this.key = of.key;
    this.name = of.name;
    this.management = of.management;
    this.payers = of.payers;
    this.owner = of.owner;
    this.workspace = Objects.requireNonNull(workspace, "workspace");
    this.user = Objects.requireNonNull(user, "user");
    this.bounds = Objects.requireNonNull(bounds, "bounds");
    this.hashes = hashes;
  }

  /**
   * The same key, belonging to somebody.
   *
   * @param inWorkspace id of its workspace, a UUID
   * @param forUser whom it was made for
   */
  public Caller withOwner(String inWorkspace, String forUser) {
    return new Caller(this, inWorkspace, forUser, bounds, hashes);
  }

  /** The same key, bound by something. */
  public Caller withRestrictions(CallerRestrictions binding) {
    return new Caller(this, workspace, user, binding, hashes);
  }

  /**
   * The same key, which was rotated.
   *
   * @param secrets its plaintexts, by their SHA-256
   */
  public Caller rotated(ApiKey.Secrets secrets) {
    var all = new ArrayList<KeyId>();
    all.add(secrets.hash());
    secrets.former().forEach(former -> all.add(former.hash()));
    if (!all.contains(key)) {
      all.add(key);
    }
    return new Caller(this, workspace, user, bounds, List.copyOf(all));
  }

  /** What stands for the key for as long as it exists, however often it is rotated. */
  public KeyId key() {
    return key;
  }

  /** The contract's {@code hash}: the SHA-256 of the plaintext the key has now. */
  public KeyId hash() {
    return hashes.getFirst();
  }

  /** Every hash that names the key, {@link #hash} first: those it had before still do. */
  public List<KeyId> hashes() {
    return hashes;
  }

  /**
   * Returns this caller as the author of a change.
   *
   * @param address where the request came from; null when it is not known
   */
  public AuditActor author(@Nullable InetAddress address) {
    return AuditActor.key(hash().hex(), name, user, address);
  }

  public String name() {
    return name;
  }

  public boolean management() {
    return management;
  }

  /**
   * In the order they are asked; the same list for every request, which the ledger makes use of.
   */
  public List<Payer> payers() {
    return payers;
  }

  /** {@code key:} and its hash. */
  public String owner() {
    return owner;
  }

  /** What binds its requests besides money, and besides what binds everybody. */
  public CallerRestrictions bounds() {
    return bounds;
  }

  /** Id of the workspace the key belongs to, a UUID. */
  public String workspace() {
    return workspace;
  }

  /** Who the key was made for: the {@code creator_user_id} of what is made with it. */
  public String user() {
    return user;
  }

  @Override
  public String toString() {
    return name + " (" + key + ")";
  }
}
