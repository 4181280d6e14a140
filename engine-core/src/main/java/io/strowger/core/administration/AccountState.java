package io.strowger.core.administration;

import io.strowger.core.access.FailedCredentials;
import io.strowger.core.audit.AuditActor;
import io.strowger.core.authentication.Authenticator;
import io.strowger.core.authentication.Caller;
import io.strowger.core.config.AccountMember;
import io.strowger.core.config.ByokKeys;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.config.KeyConfig;
import io.strowger.core.config.SecretKey;
import io.strowger.core.config.SecretKeySource;
import io.strowger.core.ledger.Budget;
import io.strowger.core.ledger.Payer;
import io.strowger.core.secret.SecretCipher;
import io.strowger.core.store.DocumentRepository;
import io.strowger.core.store.StoreWatch;
import io.strowger.core.store.WorkspaceGuard;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.store.DocumentStore.Write;
import io.strowger.spi.store.KeyId;
import io.strowger.spi.store.Period;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of an account in one store: its keys and their callers, its workspaces and guardrails,
 * and its BYOK keys. Everything is live: a change takes effect with the next request on this node,
 * and within {@link StoreWatch#POLL_INTERVAL} on others. Safe on any thread.
 */
public final class AccountState {
  private static final List<AccountMember> OWNER =
      List.of(new AccountMember(Caller.DEFAULT_USER, AccountMember.Role.ADMIN, null, null, null));

  private static final Logger log = LoggerFactory.getLogger(AccountState.class);

  /** The maximum number of attempts at a write; conflicts alone never make that many fail. */
  private static final int MAX_TRIES = 1_000;

  private final StoreWatch watch;
  private final Keys keys;
  private final Workspaces workspaces;
  private final Guardrails guardrails;
  private final GuardrailAssignments keyAssignments;
  private final GuardrailAssignments memberAssignments;
  private final Callers callers;
  private final KeyDirectory directory;
  private final StoredByokKeys storedByokKeys;
  private final ByokKeyRing ring;
  private final Authenticator authenticator;
  private final SecretCipher cipher;
  private final Payer accountPayer;
  private volatile List<AccountMember> members;

  /**
   * The sources of random bytes and of the key for stored secrets.
   *
   * @param random returns unpredictable bytes, as many as its argument says
   * @param key the key that encrypts stored secrets when the configuration has none
   */
  public record Secrets(IntFunction<byte[]> random, SecretKeySource key) {}

  private AccountState(StoreWatch watch, Ambient ambient, Secrets secrets, GatewayConfig config) {
    this.watch = watch;
    keys = new Keys(watch, ambient, secrets.random());
    watch.addListener(keys.aliases()); // before the listeners that depend on keys
    workspaces = new Workspaces(watch, ambient);
    guardrails = new Guardrails(watch, ambient);
    keyAssignments = new GuardrailAssignments(watch, ambient, keys);
    memberAssignments = new GuardrailAssignments(watch, ambient, null);
    SecretKey configuredKey = config.store().secretKey();
    cipher =
        new SecretCipher(
            configuredKey == null ? secrets.key() : () -> configuredKey, secrets.random());
    var repository = new DocumentRepository(watch, StoredByokKeys.KIND, ambient);
    storedByokKeys =
        new StoredByokKeys(repository, new WorkspaceGuard(watch, ambient), cipher, ambient);
    ring = new ByokKeyRing(repository, cipher);
    accountPayer =
        Payer.account(List.of(new Budget(Period.LIFETIME, config.money().credits(), false)));
    members = config.account().members();
    callers = new Callers(watch, accountPayer, config.account().guardrails());
    directory = new KeyDirectory(watch, ambient, keys.aliases(), Callers.KINDS, callers::of);
    authenticator = new Authenticator(directory, ambient::now, new FailedCredentials(ambient));
  }

  /**
   * Opens the account and synchronizes the keys of the configuration with the store: creates those
   * that are missing, and disables those that the file once created and no longer lists.
   *
   * @throws io.strowger.spi.store.StoreUnavailableException when the store is down
   */
  public static AccountState open(
      StoreWatch watch, Ambient ambient, Secrets secrets, GatewayConfig config) {
    var state = new AccountState(watch, ambient, secrets, config);
    state.workspaces.seed();
    state
        .writeKeyChanges(config.keys(), AuditActor.CONFIGURATION, List.of())
        .forEach(sentence -> log.warn("{}", sentence));
    watch.addListener(state.ring);
    watch.start();
    state.ring.dropAll();
    return state;
  }

  /**
   * Writes the changes that a new configuration makes in the store, with their audit entry, all or
   * nothing.
   *
   * @param entry the entry of the audit log
   * @return one sentence for each setting of the file's keys that has no effect
   * @throws io.strowger.spi.store.StoreUnavailableException when the store is down; then nothing is
   *     written
   */
  public List<String> syncKeys(GatewayConfig config, AuditActor actor, Write entry) {
    return writeKeyChanges(config.keys(), actor, List.of(entry));
  }

  /**
   * Writes the changes that the keys of the file require, and repeats this when another node
   * changes the keys concurrently.
   *
   * @param furtherWrites further writes, made atomically with the changes
   */
  private List<String> writeKeyChanges(
      List<KeyConfig> fileKeys, AuditActor actor, List<Write> furtherWrites) {
    for (int i = 0; i < MAX_TRIES; i++) {
      Keys.FileSync changes = keys.compareWithFile(fileKeys, actor);
      var writes = new ArrayList<>(changes.writes());
      writes.addAll(furtherWrites);
      if (writes.isEmpty() || watch.write(writes)) {
        return changes.warnings();
      }
    }
    throw GatewayError.of(ErrorCode.CONFLICT).toException();
  }

  /** Applies another configuration: its guardrails bind every caller from now on. */
  public void reload(GatewayConfig config) {
    callers.setDefaultGuardrails(config.account().guardrails());
    directory.dropAll();
    members = config.account().members();
  }

  /** Returns the authenticator of callers. */
  public Authenticator authenticator() {
    return authenticator;
  }

  public Keys keys() {
    return keys;
  }

  public Workspaces workspaces() {
    return workspaces;
  }

  public Guardrails guardrails() {
    return guardrails;
  }

  /** Returns the assignments of guardrails to keys. */
  public GuardrailAssignments keyAssignments() {
    return keyAssignments;
  }

  /** Returns the assignments of guardrails to users. */
  public GuardrailAssignments memberAssignments() {
    return memberAssignments;
  }

  /**
   * Returns the caller of a key, for work that continues after its request was answered.
   *
   * @param key the id of the key, {@link Caller#key()}
   * @param at the current time
   * @return the caller; null when key or workspace is gone, or the key is disabled or has expired
   * @throws io.strowger.spi.store.StoreUnavailableException when the store is down and the key is
   *     not cached
   */
  public @Nullable Caller currentCaller(KeyId key, Instant at) {
    Caller caller = directory.currentCaller(key, at);
    return caller == null || workspaces.find(caller.workspace()) == null ? null : caller;
  }

  /** Returns the stored BYOK keys. */
  public StoredByokKeys byokKeys() {
    return storedByokKeys;
  }

  /** Returns the active BYOK keys, decrypted. */
  public ByokKeys activeByokKeys() {
    return ring;
  }

  /** Returns the members of the account: its owner alone when the configuration names none. */
  public List<AccountMember> members() {
    List<AccountMember> configured = members;
    return configured.isEmpty() ? OWNER : configured;
  }

  /** Returns the cipher for stored secrets. */
  public SecretCipher cipher() {
    return cipher;
  }

  /** Returns the payer that all keys spend from. */
  public Payer payer() {
    return accountPayer;
  }

  /** Returns the amount that the account may spend in total. */
  public Usd credits() {
    return accountPayer.budgets().getFirst().limit();
  }

  /** Returns whether the account has no credits at all. */
  public boolean isFreeTier() {
    return credits().nanos() == 0;
  }
}
