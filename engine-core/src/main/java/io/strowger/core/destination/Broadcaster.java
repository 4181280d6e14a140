package io.strowger.core.destination;

import io.strowger.core.config.DestinationConfig;
import io.strowger.core.destination.DestinationSender.Sent;
import io.strowger.core.resource.DefaultWorkspace;
import io.strowger.core.resource.DestinationCreate;
import io.strowger.core.resource.DestinationType;
import io.strowger.core.secret.SecretKeyException;
import io.strowger.core.store.DocumentChangeListener;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.json.Json;
import io.strowger.spi.observe.DestinationCounts;
import io.strowger.spi.observe.DestinationExporter;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Transport;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore;
import io.strowger.spi.store.KeyId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the active destinations in memory; they are reloaded when they change, never by a request.
 * Without destinations, a call costs one field read. Safe on any thread.
 */
public final class Broadcaster implements DocumentChangeListener, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Broadcaster.class);

  /** How long closing a gateway waits for calls to be delivered. */
  public static final Duration FLUSH = Duration.ofSeconds(5);

  /** The prefix of ids from the configuration file, which may be any text. */
  private static final String FILE = "file/";

  private final Destinations destinations;
  private final DestinationSender sender;
  private final Ambient ambient;
  private final Duration gatheringTime;
  private final ReentrantLock changing = new ReentrantLock(); // later reads replace earlier ones
  private final Map<String, ActiveDestination> targets =
      new TreeMap<>(); // by key; guarded by the lock, as are the next two and closed
  private final Map<String, Json.Obj> configs = new HashMap<>(); // those of the current exporters
  private final Set<String> there = new HashSet<>(); // by key, unusable ones too
  private final @Nullable DiskQueues disk; // null: calls wait in memory only
  private boolean closed;
  private volatile List<ActiveDestination> all = List.of();
  private volatile Map<String, List<ActiveDestination>> enabled = Map.of(); // by workspace

  /**
   * Creates a broadcaster that delivers calls at once and queues them in memory only.
   *
   * @param destinations the stored destinations
   * @param transport sends the calls; not closed here
   */
  public Broadcaster(Destinations destinations, Transport transport, Ambient ambient) {
    this(destinations, transport, ambient, Duration.ZERO, null);
  }

  /**
   * @param destinations the stored destinations
   * @param transport sends the calls; not closed here
   * @param gatheringTime how long calls are gathered between two deliveries; zero to deliver them
   *     at once
   * @param disk the queues for undelivered calls, closed here; null to queue in memory only
   */
  public Broadcaster(
      Destinations destinations,
      Transport transport,
      Ambient ambient,
      Duration gatheringTime,
      @Nullable DiskQueues disk) {
    this.disk = disk;
    this.gatheringTime = Objects.requireNonNull(gatheringTime, "gatheringTime");
    this.destinations = Objects.requireNonNull(destinations, "destinations");
    this.sender = new DestinationSender(transport, ambient);
    this.ambient = Objects.requireNonNull(ambient, "ambient");
  }

  /**
   * Chooses the destinations a call is sent to when it is over.
   *
   * @param workspace the id of the caller's workspace
   * @param hashes every hash that names the caller's key
   * @param session the caller's session id; null when it gives none
   * @param generation the generation id, by which a call without a session is sampled
   * @return the broadcast; null when the call is sent to no destination
   */
  public @Nullable Broadcast choose(
      String workspace, List<KeyId> hashes, @Nullable String session, String generation) {
    Map<String, List<ActiveDestination>> now = enabled;
    List<ActiveDestination> there = now.isEmpty() ? null : now.get(workspace);
    if (there == null) {
      return null;
    }
    var sampledBy = new Digests.SampledSession(session == null ? generation : session);
    int most = there.size();
    List<ActiveDestination> chosen = null; // null: all so far, which is usual and needs no copy
    for (int i = 0; i < most; i++) {
      ActiveDestination target = there.get(i);
      boolean sampled = target.samples(hashes, sampledBy);
      if (!sampled && chosen == null) {
        chosen = new ArrayList<>(there.subList(0, i));
      } else if (sampled && chosen != null) {
        chosen.add(target);
      }
    }
    if (chosen == null) {
      return new Broadcast(there);
    }
    return chosen.isEmpty() ? null : new Broadcast(chosen);
  }

  /** Returns the counts of each destination. */
  public List<DestinationCounts> counts() {
    return all.stream().map(ActiveDestination::counts).toList();
  }

  /**
   * The result of a connection test.
   *
   * @param passed whether the destination was reached and would accept calls
   * @param status the HTTP status of the answer; 0 when there was no answer
   * @param message the result in words, without the address
   */
  public record ConnectionTestResult(boolean passed, int status, String message) {}

  /**
   * Tests the connection to a destination, and waits for its answer.
   *
   * @param id the id of a stored destination
   * @return the result; null when there is no such destination
   * @throws io.strowger.spi.store.StoreUnavailableException when the store is down
   */
  public @Nullable ConnectionTestResult test(String id) {
    Document document = destinations.document(id);
    Destination destination =
        document == null || document.hidden() ? null : Destination.read(document);
    if (document == null || destination == null) {
      return null;
    }
    try {
      DestinationExporter exporter =
          destinations.exporter(destination.type(), destinations.config(document));
      DestinationExporter.ConnectionTest test = exporter.test(ambient.now());
      return switch (sender.send(test.request(), id, new Cancellation())) {
        case Sent.Answered answer -> {
          boolean passed = answer.isSuccess() || answer.status() == 400 && test.passesWhenBad();
          yield new ConnectionTestResult(
              passed, answer.status(), "the destination answered " + answer.status());
        }
        case Sent.Unanswered none -> new ConnectionTestResult(false, 0, none.why());
      };
    } catch (SecretKeyException | IllegalArgumentException unusable) {
      return new ConnectionTestResult(false, 0, "it cannot be used: " + unusable.getMessage());
    }
  }

  @Override
  public Set<String> kinds() {
    return Set.of(Destinations.KIND);
  }

  @Override
  public void invalidate(DocumentStore.Ref changed) {
    changing.lock();
    try {
      follow(changed.id(), destinations.document(changed.id()));
      publish();
    } finally {
      changing.unlock();
    }
  }

  @Override
  public void dropAll() {
    changing.lock();
    try {
      var read = new HashSet<String>();
      for (Document document : destinations.documents()) {
        read.add(document.id());
        follow(document.id(), document);
      }
      for (String id : List.copyOf(there)) {
        if (!id.startsWith(FILE) && !read.contains(id)) {
          delete(id);
        }
      }
      publish();
    } finally {
      changing.unlock();
    }
  }

  /** Applies the destinations of the configuration file, in addition to the stored ones. */
  public void configure(List<DestinationConfig> file) {
    changing.lock();
    try {
      var read = new HashSet<String>();
      for (DestinationConfig one : file) {
        read.add(FILE + one.id());
        follow(one);
      }
      for (String id : List.copyOf(there)) {
        if (id.startsWith(FILE) && !read.contains(id)) {
          delete(id);
        }
      }
      publish();
    } finally {
      changing.unlock();
    }
  }

  private void follow(DestinationConfig file) {
    DestinationCreate said = file.destination();
    String workspace = Objects.requireNonNullElse(said.workspaceId(), DefaultWorkspace.ID);
    String key = FILE + file.id();
    ActiveDestination known = targets.get(key);
    if (known != null && !known.workspace().equals(workspace)) {
      delete(key); // the calls of a workspace are for its own destinations
    }
    there.add(key);
    ActiveDestination target = target(key, file.id(), said.name(), said.type(), workspace);
    exportBy(target, key, said.type(), said.config());
    target.follow(said.selection(), said.disclosure());
  }

  private void follow(String id, @Nullable Document document) {
    Destination destination =
        document == null || document.hidden() ? null : Destination.read(document);
    if (document == null || document.hidden()) {
      delete(id);
      return;
    }
    there.add(id);
    if (destination == null) {
      suspend(id); // it was written by a later version
      return;
    }
    ActiveDestination target =
        target(id, id, destination.name(), destination.type(), destination.workspaceId());
    try {
      exportBy(target, id, destination.type(), destinations.config(document));
      target.follow(destination.selection(), destination.disclosure());
    } catch (SecretKeyException unreadable) {
      log.error(
          "destination {} receives no calls: its secrets cannot be decrypted: {}",
          id,
          unreadable.getMessage());
      suspend(id);
    }
  }

  private ActiveDestination target(
      String key, String id, String name, DestinationType type, String workspace) {
    return targets.computeIfAbsent(
        key,
        absent ->
            new ActiveDestination(
                id,
                type,
                new DestinationQueue(
                    id,
                    Destination.named(id, name, type),
                    sender,
                    ambient,
                    gatheringTime,
                    disk == null ? null : disk.queue(key)),
                workspace));
  }

  /** Replaces the exporter, unless its config did not change. */
  private void exportBy(
      ActiveDestination target, String key, DestinationType type, Json.Obj config) {
    if (config.equals(configs.get(key))) {
      return;
    }
    try {
      target.queue().exportBy(destinations.exporter(type, config));
      configs.put(key, config);
    } catch (IllegalArgumentException unusable) {
      target.queue().exportBy(null);
      configs.remove(key);
      log.error(
          "destination {} receives no calls: its configuration is not usable: {}",
          key,
          unusable.getMessage());
    }
  }

  /** Stops deliveries to a destination; calls that wait for it on disk stay. */
  private void suspend(String id) {
    ActiveDestination gone = targets.remove(id);
    configs.remove(id);
    if (gone != null) {
      gone.queue().abandon();
    }
  }

  /** Removes a deleted destination with all calls that wait for it. */
  private void delete(String id) {
    ActiveDestination gone = targets.remove(id);
    configs.remove(id);
    if (gone != null) {
      gone.queue().discard();
    }
    if (there.remove(id) && disk != null) {
      disk.delete(id);
    }
  }

  /**
   * Deletes calls on disk for destinations that no longer exist. Call once, after all were read.
   */
  public void deleteOrphans() {
    changing.lock();
    try {
      if (disk != null) {
        disk.deleteAllBut(there);
      }
    } finally {
      changing.unlock();
    }
  }

  private void publish() {
    var next = new HashMap<String, List<ActiveDestination>>();
    for (ActiveDestination target : targets.values()) {
      if (target.isEnabled() && !closed) {
        next.computeIfAbsent(target.workspace(), absent -> new ArrayList<>()).add(target);
      }
    }
    next.replaceAll((workspace, those) -> List.copyOf(those));
    enabled = Map.copyOf(next);
    all = List.copyOf(targets.values());
  }

  /**
   * Accepts no more calls and delivers what waits in memory: each request once, in total for at
   * most {@link #FLUSH}. What is left then is moved to disk, or dropped and counted where there is
   * no queue on disk or no room. Idempotent.
   */
  @Override
  public void close() {
    changing.lock();
    try {
      closed = true;
      publish();
    } finally {
      changing.unlock();
    }
    List<ActiveDestination> closing = all;
    closing.forEach(target -> target.queue().close());
    long until = ambient.nanoTime() + FLUSH.toNanos();
    for (ActiveDestination target : closing) {
      long left = until - ambient.nanoTime();
      if (left > 0) {
        target.queue().awaitEnd(Duration.ofNanos(left));
      }
    }
    closing.forEach(target -> target.queue().abandon());
    closing.forEach(target -> target.queue().awaitEnd(null));
    if (disk != null) {
      disk.close();
    }
  }
}
