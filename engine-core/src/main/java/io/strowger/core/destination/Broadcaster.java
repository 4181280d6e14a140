package io.strowger.core.destination;

import io.strowger.core.config.DestinationConfig;
import io.strowger.core.destination.DestinationSender.SendResult;
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
  public static final Duration FLUSH_TIMEOUT = Duration.ofSeconds(5);

  /** The prefix of keys of destinations from the configuration file, whose ids may be any text. */
  private static final String FILE_PREFIX = "file/";

  private final Destinations destinations;
  private final DestinationSender sender;
  private final Ambient ambient;
  private final Duration gatheringTime;
  private final ReentrantLock updateLock = new ReentrantLock(); // held to read and apply a change
  private final Map<String, ActiveDestination> targets =
      new TreeMap<>(); // by key; guarded by the lock, as are the next three and closed
  private final Map<String, Json.Obj> configs = new HashMap<>(); // by key; of the current exporters
  private final Set<String> knownKeys = new HashSet<>(); // by key, unusable ones too
  private final Set<String> unreadableIds = new HashSet<>(); // each was logged
  private final List<DestinationQueue> endingQueues =
      new ArrayList<>(); // of removed destinations, while their threads run; guarded by the lock
  private final @Nullable DiskQueues disk; // null: calls wait in memory only
  private boolean closed;
  private volatile List<ActiveDestination> allDestinations = List.of();
  private volatile Map<String, List<ActiveDestination>> enabledByWorkspace =
      Map.of(); // by workspace

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
    Map<String, List<ActiveDestination>> current = enabledByWorkspace;
    List<ActiveDestination> candidates = current.isEmpty() ? null : current.get(workspace);
    if (candidates == null) {
      return null;
    }
    var sampledSession = new Digests.SampledSession(session == null ? generation : session);
    int count = candidates.size();
    List<ActiveDestination> chosen = null; // null: all so far, which is usual and needs no copy
    for (int i = 0; i < count; i++) {
      ActiveDestination target = candidates.get(i);
      boolean isSampled = target.samples(hashes, sampledSession);
      if (!isSampled && chosen == null) {
        chosen = new ArrayList<>(candidates.subList(0, i));
      } else if (isSampled && chosen != null) {
        chosen.add(target);
      }
    }
    if (chosen == null) {
      return new Broadcast(candidates);
    }
    return chosen.isEmpty() ? null : new Broadcast(chosen);
  }

  /** Returns the counts of each destination. */
  public List<DestinationCounts> counts() {
    return allDestinations.stream().map(ActiveDestination::counts).toList();
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
        document == null || document.hidden() ? null : Destination.readOrNull(document);
    if (document == null || destination == null) {
      return null;
    }
    try {
      DestinationExporter exporter =
          destinations.exporter(destination.type(), destinations.config(document));
      DestinationExporter.ConnectionTest test = exporter.test(ambient.now());
      return switch (sender.send(test.request(), id, new Cancellation())) {
        case SendResult.Answered answer -> {
          boolean passed = answer.isSuccess() || answer.status() == 400 && test.acceptsBadRequest();
          yield new ConnectionTestResult(
              passed, answer.status(), "the destination answered " + answer.status());
        }
        case SendResult.Unanswered unanswered ->
            new ConnectionTestResult(false, 0, unanswered.reason());
      };
    } catch (SecretKeyException | IllegalArgumentException e) {
      return new ConnectionTestResult(
          false, 0, "the destination cannot be used: " + e.getMessage());
    }
  }

  @Override
  public Set<String> kinds() {
    return Set.of(Destinations.KIND);
  }

  @Override
  public void invalidate(DocumentStore.Ref changed) {
    updateLock.lock();
    try {
      if (closed) {
        return;
      }
      apply(changed.id(), destinations.document(changed.id()));
      publish();
    } finally {
      updateLock.unlock();
    }
  }

  @Override
  public void dropAll() {
    updateLock.lock();
    try {
      if (closed) {
        return;
      }
      var seenIds = new HashSet<String>();
      for (Document document : destinations.documents()) {
        seenIds.add(document.id());
        apply(document.id(), document);
      }
      for (String id : List.copyOf(knownKeys)) {
        if (!id.startsWith(FILE_PREFIX) && !seenIds.contains(id)) {
          delete(id);
        }
      }
      publish();
    } finally {
      updateLock.unlock();
    }
  }

  /** Applies the destinations of the configuration file, in addition to the stored ones. */
  public void configure(List<DestinationConfig> fileDestinations) {
    updateLock.lock();
    try {
      if (closed) {
        return;
      }
      var seenKeys = new HashSet<String>();
      for (DestinationConfig destination : fileDestinations) {
        seenKeys.add(FILE_PREFIX + destination.id());
        apply(destination);
      }
      for (String id : List.copyOf(knownKeys)) {
        if (id.startsWith(FILE_PREFIX) && !seenKeys.contains(id)) {
          delete(id);
        }
      }
      publish();
    } finally {
      updateLock.unlock();
    }
  }

  private void apply(DestinationConfig config) {
    DestinationCreate definition = config.destination();
    String workspace = Objects.requireNonNullElse(definition.workspaceId(), DefaultWorkspace.ID);
    String key = FILE_PREFIX + config.id();
    ActiveDestination previous = targets.get(key);
    if (previous != null && !previous.workspace().equals(workspace)) {
      delete(key); // waiting calls must not reach another workspace
    }
    knownKeys.add(key);
    ActiveDestination target =
        target(key, config.id(), definition.name(), definition.type(), workspace);
    setExporter(target, key, definition.type(), definition.config());
    target.applySettings(definition.type(), definition.selection(), definition.disclosure());
  }

  private void apply(String id, @Nullable Document document) {
    if (document == null || document.hidden()) {
      delete(id);
      return;
    }
    knownKeys.add(id);
    Destination destination;
    try {
      destination = Destination.read(document);
    } catch (RuntimeException e) {
      warnUnreadable(document, e);
      suspend(id);
      return;
    }
    unreadableIds.remove(id);
    ActiveDestination target =
        target(id, id, destination.name(), destination.type(), destination.workspaceId());
    try {
      setExporter(target, id, destination.type(), destinations.config(document));
      target.applySettings(destination.type(), destination.selection(), destination.disclosure());
    } catch (SecretKeyException e) {
      log.error(
          "destination {} receives no calls: its secrets cannot be decrypted: {}",
          id,
          e.getMessage());
      suspend(id);
    } catch (RuntimeException e) {
      // such as a pattern that a newer version accepted; other destinations go on
      log.error("destination {} receives no calls: its settings cannot be used", id, e);
      suspend(id);
    }
  }

  /** Logs that this version cannot read a destination, once until it can be read again. */
  private void warnUnreadable(Document document, RuntimeException cause) {
    if (unreadableIds.add(document.id())) {
      log.warn(
          "destination {} of type {} cannot be read by this version and receives no calls: update"
              + " the gateway, or delete the destination",
          document.id(),
          document.body().text("type"),
          cause);
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
                    Destination.logName(id, name, type),
                    sender,
                    ambient,
                    gatheringTime,
                    disk == null ? null : disk.queue(key)),
                workspace));
  }

  /** Replaces the exporter if the config changed. */
  private void setExporter(
      ActiveDestination target, String key, DestinationType type, Json.Obj config) {
    if (config.equals(configs.get(key))) {
      return;
    }
    try {
      target.queue().setExporter(destinations.exporter(type, config));
      configs.put(key, config);
    } catch (IllegalArgumentException e) {
      target.queue().setExporter(null);
      configs.remove(key);
      log.error(
          "destination {} receives no calls: its configuration is not usable: {}",
          key,
          e.getMessage());
    }
  }

  /** Stops deliveries to a destination; calls that wait for it on disk stay. */
  private void suspend(String id) {
    ActiveDestination removed = targets.remove(id);
    configs.remove(id);
    if (removed != null) {
      removed.queue().abandon();
      awaitWhenClosing(removed.queue());
    }
  }

  /** Remembers the queue of a removed destination until its threads have ended. */
  private void awaitWhenClosing(DestinationQueue queue) {
    endingQueues.removeIf(ending -> !ending.isRunning());
    if (queue.isRunning()) {
      endingQueues.add(queue);
    }
  }

  /** Removes a deleted destination with all calls that wait for it. */
  private void delete(String id) {
    ActiveDestination removed = targets.remove(id);
    configs.remove(id);
    if (removed != null) {
      removed.queue().discard();
      awaitWhenClosing(removed.queue());
    }
    unreadableIds.remove(id);
    if (knownKeys.remove(id) && disk != null) {
      disk.delete(id);
    }
  }

  /**
   * Deletes calls on disk for destinations that no longer exist. Call once, after all destinations
   * were read.
   */
  public void deleteOrphans() {
    updateLock.lock();
    try {
      if (disk != null) {
        disk.deleteAllBut(knownKeys);
      }
    } finally {
      updateLock.unlock();
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
    enabledByWorkspace = Map.copyOf(next);
    allDestinations = List.copyOf(targets.values());
  }

  /**
   * Accepts no more calls and delivers what waits in memory: each request once, in total for at
   * most {@link #FLUSH_TIMEOUT}. What is left then is moved to disk, or dropped and counted where
   * there is no queue on disk or no room. When this returns, no thread delivers or moves calls, and
   * later changes of destinations have no effect. Idempotent.
   */
  @Override
  public void close() {
    List<DestinationQueue> removedQueues;
    updateLock.lock();
    try {
      closed = true;
      publish();
      removedQueues = List.copyOf(endingQueues);
    } finally {
      updateLock.unlock();
    }
    List<ActiveDestination> closing = allDestinations;
    closing.forEach(target -> target.queue().close());
    long deadline = ambient.nanoTime() + FLUSH_TIMEOUT.toNanos();
    for (ActiveDestination target : closing) {
      long left = deadline - ambient.nanoTime();
      if (left > 0) {
        target.queue().awaitEnd(Duration.ofNanos(left));
      }
    }
    closing.forEach(target -> target.queue().abandon());
    closing.forEach(target -> target.queue().awaitEnd(null));
    removedQueues.forEach(queue -> queue.awaitEnd(null));
    if (disk != null) {
      disk.close();
    }
  }
}
