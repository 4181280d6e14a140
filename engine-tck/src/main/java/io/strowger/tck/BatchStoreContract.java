package io.strowger.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.store.BatchQueue;
import io.strowger.spi.store.BatchQueue.BillingStatus;
import io.strowger.spi.store.BatchQueue.Lease;
import io.strowger.spi.store.BatchQueue.LeaseOrder;
import io.strowger.spi.store.BatchQueue.LeasedRequest;
import io.strowger.spi.store.BatchStore;
import io.strowger.spi.store.BatchStore.AnsweredRequest;
import io.strowger.spi.store.BatchStore.Batch;
import io.strowger.spi.store.BatchStore.Counts;
import io.strowger.spi.store.BatchStore.Filter;
import io.strowger.spi.store.BatchStore.Phase;
import io.strowger.spi.store.BatchStore.Request;
import io.strowger.spi.store.BatchStore.Result;
import io.strowger.spi.store.BatchStore.UsageAndCost;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.GenerationStore.Generation;
import io.strowger.spi.store.LedgerEntry;
import io.strowger.spi.store.Posting;
import io.strowger.spi.store.StoreRefusedException;
import io.strowger.spi.store.Stores;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The contract test of {@link BatchStore} and {@link BatchQueue}. The author of a store extends
 * this class and returns stores that nothing else uses during the tests. All tests may share them,
 * since each test removes its batches.
 */
public abstract class BatchStoreContract {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00.123456789Z");
  private static final Instant LATER = NOON.plusSeconds(60);
  private static final Instant NEVER = Instant.parse("2200-01-01T00:00:00Z");
  private static final Duration CLAIM_WAIT = Duration.ofHours(1); // after a lease
  private static final String GENERATION = "gen-batch-1764000000-";

  private final String prefix = "batch_" + UUID.randomUUID();
  private final String workspace = UUID.randomUUID().toString();
  private final List<String> batchIds = new ArrayList<>();

  /** Returns open stores. */
  protected abstract Stores stores();

  /**
   * Returns the same batches as another node sees them; {@link #stores} itself if only one node can
   * use the stores.
   */
  protected Stores otherNode() {
    return stores();
  }

  /**
   * Returns the same stores as they are after a restart; {@link #stores} itself if the stores keep
   * everything in memory.
   */
  protected Stores later() {
    return stores();
  }

  private BatchStore store() {
    return stores().batches();
  }

  private BatchQueue queue() {
    return store().queue();
  }

  @AfterEach
  final void removeAll() {
    for (String id : batchIds) {
      Batch batch = store().find(id);
      if (batch != null) {
        assertThat(store().replace(batch.next(Phase.REMOVED, "removed", NEVER, Json.Obj.EMPTY)))
            .isTrue();
        while (store().removeContent(id, 1000, true) == 1000) {
          // until nothing is left
        }
      }
    }
  }

  private Batch newBatch(String name, int second) {
    batchIds.add(prefix + name);
    Json.Obj body = Json.object().put("odd", "a\0b \ud800 \u4e2d \ud83d\ude00").build();
    return new Batch(
        prefix + name,
        workspace,
        Phase.RECEIVING,
        "validating",
        NOON.plusSeconds(second),
        NEVER,
        1,
        Counts.NONE,
        body);
  }

  private Batch addBatch(String name, int second, int requests) {
    Batch batch = newBatch(name, second);
    assertThat(store().add(batch)).isTrue();
    for (int from = 0; from < requests; from += 200) {
      store()
          .addRequests(
              batch.id(),
              IntStream.range(from, Math.min(requests, from + 200))
                  .mapToObj(i -> request(i, "{\"n\":" + i + "}"))
                  .toList());
    }
    return batch;
  }

  private Batch inPhase(Phase phase, Batch before, int requests) {
    Batch next =
        before.next(phase, status(phase), before.dueAt(), before.body()).withTotal(requests);
    assertThat(store().replace(next)).isTrue();
    return next;
  }

  private static String status(Phase phase) {
    return switch (phase) {
      case RECEIVING, STEP -> "validating";
      case OPEN -> "in_progress";
      case OVER -> "completed";
      case REMOVED -> "removed";
    };
  }

  private Batch open(String name, int second, int requests) {
    return inPhase(Phase.OPEN, addBatch(name, second, requests), requests);
  }

  private static Request request(int number, String body) {
    return new Request(number, "request " + number, body.getBytes(StandardCharsets.UTF_8));
  }

  private static Result result(boolean completed, String name) {
    byte[] body = ("{\"of\":\"" + name + "\"}").getBytes(StandardCharsets.UTF_8);
    return new Result(
        completed, completed ? GENERATION + name : "", body, new UsageAndCost(1, 2, 3, 4, 5, 6, 7));
  }

  private static List<LeasedRequest> lease(
      BatchQueue queue, int limit, Instant now, Instant until) {
    return queue.lease(limit, now, until, now.minus(CLAIM_WAIT), LeaseOrder.ROUND_ROBIN);
  }

  private List<LeasedRequest> lease(int limit) {
    return lease(queue(), limit, NOON, LATER);
  }

  private static List<Integer> numbers(List<LeasedRequest> leased) {
    return leased.stream().map(each -> each.lease().number()).toList();
  }

  private Batch findBatch(String id) {
    return Objects.requireNonNull(store().find(id));
  }

  // batches

  @Test
  @DisplayName("finds a batch in every phase and after a restart, and adds no second with its id")
  void adds() {
    Batch batch = addBatch("a", 0, 0);
    assertThat(findBatch(batch.id())).isEqualTo(batch);
    assertThat(store().add(batch)).isFalse();
    for (Phase phase : Phase.values()) {
      if (phase != Phase.RECEIVING) {
        batch = inPhase(phase, batch, 3);
        assertThat(findBatch(batch.id())).isEqualTo(batch);
      }
    }
    assertThat(later().batches().find(batch.id())).isEqualTo(batch);
    assertThat(otherNode().batches().find(batch.id())).isEqualTo(batch);
    for (String none : List.of("", "b", "a\0", "\ud800", "a".repeat(10_000))) {
      assertThat(store().find(none)).as(none).isNull();
    }
  }

  @Test
  @DisplayName("adds only batches in the phase RECEIVING with version 1")
  void addsFirst() {
    Batch batch = newBatch("a", 0);
    Batch second = batch.next(Phase.RECEIVING, "validating", NEVER, batch.body());
    Batch open = inPhase(batch, Phase.OPEN, 1);
    assertThatThrownBy(() -> store().add(second)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> store().add(open)).isInstanceOf(IllegalArgumentException.class);
    assertThat(store().find(batch.id())).isNull();
  }

  private static Batch inPhase(Batch batch, Phase phase, long version) {
    return new Batch(
        batch.id(),
        batch.workspace(),
        phase,
        batch.status(),
        batch.createdAt(),
        batch.dueAt(),
        version,
        batch.counts(),
        batch.body());
  }

  @Test
  @DisplayName("replaces only the preceding version, and changes no count but the total")
  void replaces() {
    Batch first = addBatch("a", 0, 2);
    Json.Obj body = Json.object().put("now", true).build();
    Batch second = first.next(Phase.OPEN, "in_progress", NEVER.minusSeconds(1), body).withTotal(2);
    assertThat(store().replace(second.next(Phase.OPEN, "early", NEVER, body))).isFalse();
    assertThat(store().replace(second)).isTrue();
    assertThat(store().replace(second)).as("again").isFalse();
    assertThat(findBatch(first.id())).isEqualTo(second);
    assertThat(queue().finish(lease(1).getFirst().lease(), result(true, "a"))).isTrue();
    Batch third = second.next(Phase.OPEN, "in_progress", NEVER, body);
    assertThat(store().replace(third)).isTrue();
    assertThat(findBatch(first.id()).counts()).isEqualTo(new Counts(2, 1, 0));
    Batch nobody = inPhase(newBatch("b", 0), Phase.OPEN, 2);
    assertThat(store().replace(nobody)).isFalse();
    assertThat(store().find(nobody.id())).isNull();
  }

  @Test
  @DisplayName("of several nodes that replace the same version, exactly one succeeds")
  void replacesOnce() throws Exception {
    Batch first = addBatch("a", 0, 0);
    List<Callable<Boolean>> writers =
        IntStream.range(0, 8)
            .<Callable<Boolean>>mapToObj(
                i ->
                    () ->
                        (i % 2 == 0 ? stores() : otherNode())
                            .batches()
                            .replace(first.next(Phase.STEP, "status" + i, NEVER, first.body())))
            .toList();
    int won = 0;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var writer : threads.invokeAll(writers)) {
        won += writer.get() ? 1 : 0;
      }
    }
    assertThat(won).isEqualTo(1);
    assertThat(findBatch(first.id()).version()).isEqualTo(2);
  }

  // listings

  private List<String> listed(Filter filter) {
    return store().list(filter).stream()
        .map(batch -> batch.id().substring(prefix.length()))
        .toList();
  }

  private Filter all(int limit) {
    return new Filter(workspace, List.of(), null, null, null, limit);
  }

  private Filter filterAfter(String after, int limit) {
    return new Filter(workspace, List.of(), after, null, null, limit);
  }

  @Test
  @DisplayName("lists pages, the newest first; batches of the same time by descending id")
  void lists() {
    for (String name : List.of("b", "d", "a", "c")) {
      open(name, name.equals("a") ? 9 : 0, 0);
    }
    Batch last = open("e", -1, 0);
    assertThat(listed(all(1000))).containsExactly("a", "d", "c", "b", "e");
    assertThat(store().list(all(1000)).getLast()).isEqualTo(last);
    assertThat(listed(all(2))).containsExactly("a", "d");
    assertThat(listed(filterAfter(prefix + "d", 2))).containsExactly("c", "b");
    assertThat(listed(filterAfter(prefix + "b", 2))).containsExactly("e");
    assertThat(listed(filterAfter(prefix + "e", 2))).isEmpty();
    Batch foreign = newBatch("f", 5);
    Batch other =
        new Batch(
            foreign.id(),
            "of-" + workspace,
            foreign.phase(),
            foreign.status(),
            foreign.createdAt(),
            foreign.dueAt(),
            1,
            foreign.counts(),
            foreign.body());
    assertThat(store().add(other)).isTrue();
    for (String none : List.of(other.id(), "nobody", "", "a\0", "\ud800")) {
      assertThat(listed(filterAfter(none, 2))).as(none).isEmpty();
    }
    var elsewhere = new Filter("nobody's \0", List.of(), null, null, null, 9);
    assertThat(store().list(elsewhere)).isEmpty();
  }

  @Test
  @DisplayName("lists by status, and only batches strictly between two times")
  void filters() {
    Batch a = open("a", 0, 0);
    inPhase(Phase.OVER, open("b", 1, 0), 0);
    inPhase(Phase.STEP, open("c", 2, 0), 0);
    var over = new Filter(workspace, List.of("completed"), null, null, null, 9);
    assertThat(listed(over)).containsExactly("b");
    var two = new Filter(workspace, List.of("in_progress", "completed"), null, null, null, 9);
    assertThat(listed(two)).containsExactly("b", "a");
    var none = new Filter(workspace, List.of("\0", "nothing"), null, null, null, 9);
    assertThat(listed(none)).isEmpty();
    Instant at = a.createdAt();
    assertThat(listed(between(at, at.plusSeconds(2)))).containsExactly("b");
    assertThat(listed(between(at.minusNanos(1), at.plusNanos(1)))).containsExactly("a");
    assertThat(listed(between(at.plusNanos(1), at.plusSeconds(2).plusNanos(999))))
        .containsExactly("c", "b");
    var both = new Filter(workspace, List.of("completed"), prefix + "c", at, at.plusSeconds(9), 9);
    assertThat(listed(both)).containsExactly("b");
  }

  private Filter between(Instant after, Instant before) {
    return new Filter(workspace, List.of(), null, after, before, 9);
  }

  @Test
  @DisplayName("lists no batch that is receiving or removed, but continues after one")
  void hidden() {
    open("a", 0, 0);
    addBatch("b", 1, 0);
    inPhase(Phase.REMOVED, open("c", 2, 0), 0);
    open("d", 3, 0);
    assertThat(listed(all(9))).containsExactly("d", "a");
    assertThat(listed(filterAfter(prefix + "c", 9))).containsExactly("a");
  }

  // requests and results

  @Test
  @DisplayName("returns requests in order, limited by their bytes and to 1,000 at a time")
  void requests() {
    Batch batch = addBatch("a", 0, 1003);
    assertThat(store().requests(batch.id(), 0, Long.MAX_VALUE))
        .hasSize(1000)
        .startsWith(request(0, "{\"n\":0}"), request(1, "{\"n\":1}"))
        .endsWith(request(999, "{\"n\":999}"));
    assertThat(store().requests(batch.id(), 1000, Long.MAX_VALUE))
        .containsExactly(
            request(1000, "{\"n\":1000}"),
            request(1001, "{\"n\":1001}"),
            request(1002, "{\"n\":1002}"));
    assertThat(store().requests(batch.id(), 0, 14)).hasSize(2);
    assertThat(store().requests(batch.id(), 0, 13)).as("7 bytes each").hasSize(1);
    assertThat(store().requests(batch.id(), 5, 0)).containsExactly(request(5, "{\"n\":5}"));
    assertThat(store().requests(batch.id(), 1003, 99)).isEmpty();
    assertThat(store().requests("nobody", 0, 99)).isEmpty();
    assertThat(store().requests("\0", 0, 99)).isEmpty();
    assertThat(otherNode().batches().requests(batch.id(), 1002, 9)).hasSize(1);
  }

  @Test
  @DisplayName("adds no request twice, and none to a batch that is not receiving")
  void addsRequests() {
    Batch batch = addBatch("a", 0, 2);
    Request other = request(1, "{\"other\":true}");
    store().addRequests(batch.id(), List.of(other, request(2, "{}")));
    store().addRequests(batch.id(), List.of());
    assertThat(store().requests(batch.id(), 0, 99))
        .containsExactly(request(0, "{\"n\":0}"), request(1, "{\"n\":1}"), request(2, "{}"));
    assertThat(queue().countWithoutResult(batch.id())).isEqualTo(3);
    inPhase(Phase.STEP, batch, 3);
    List<Request> late = List.of(request(3, "{}"));
    assertThatThrownBy(() -> store().addRequests(batch.id(), late))
        .isInstanceOf(StoreRefusedException.class);
    assertThatThrownBy(() -> store().addRequests("nobody", late))
        .isInstanceOf(StoreRefusedException.class);
    assertThat(store().requests(batch.id(), 0, 99)).hasSize(3);
  }

  @Test
  @DisplayName("keeps any text and large bodies of requests and results unchanged")
  void large() {
    Batch batch = addBatch("a", 0, 0);
    byte[] noise = new byte[1_500_000];
    new Random(5).nextBytes(noise);
    String text = "{\"odd\":\"\u4e2d \ud83d\ude00 \\u0000 \\ud800\"}";
    List<Request> odd =
        List.of(
            new Request(0, "a\0b \ud800 \u4e2d", text.getBytes(StandardCharsets.UTF_8)),
            new Request(1, "\ud83d\ude00".repeat(100), noise),
            new Request(2, "\"", Arrays.copyOf(noise, 70_000)),
            new Request(3, "\u0001".repeat(200), new byte[0]));
    store().addRequests(batch.id(), odd);
    assertThat(store().requests(batch.id(), 0, Long.MAX_VALUE)).isEqualTo(odd);
    inPhase(Phase.OPEN, batch, 4);
    assertThat(lease(4)).extracting(LeasedRequest::request).isEqualTo(odd);
    for (LeasedRequest leased : lease(queue(), 4, LATER, NEVER)) {
      byte[] body = leased.request().body();
      var answer = new Result(true, GENERATION + "a", body, UsageAndCost.NONE);
      assertThat(queue().finish(leased.lease(), answer)).isTrue();
    }
    List<AnsweredRequest> all = store().results(batch.id(), 0, Long.MAX_VALUE);
    assertThat(all).extracting(AnsweredRequest::customId).isEqualTo(customIds(odd));
    assertThat(all.get(1).result().body()).isEqualTo(noise);
    assertThat(all)
        .extracting(each -> each.result().body().length)
        .containsExactly(text.getBytes(StandardCharsets.UTF_8).length, 1_500_000, 70_000, 0);
    assertThat(store().requests(batch.id(), 0, Long.MAX_VALUE)).isEqualTo(odd);
  }

  private static List<String> customIds(List<Request> requests) {
    return requests.stream().map(Request::customId).toList();
  }

  @Test
  @DisplayName("returns results in order, limited by their bytes; omits requests without one")
  void results() {
    Batch batch = open("a", 0, 4);
    List<LeasedRequest> leased = lease(4);
    for (int i : new int[] {3, 0, 1}) {
      assertThat(queue().finish(leased.get(i).lease(), result(i != 0, "a"))).isTrue();
    }
    var expected =
        List.of(
            new AnsweredRequest(0, "request 0", result(false, "a")),
            new AnsweredRequest(1, "request 1", result(true, "a")),
            new AnsweredRequest(3, "request 3", result(true, "a")));
    assertThat(store().results(batch.id(), 0, 99)).isEqualTo(expected);
    assertThat(store().results(batch.id(), 2, 99)).isEqualTo(expected.subList(2, 3));
    assertThat(store().results(batch.id(), 0, 20)).hasSize(2);
    assertThat(store().results(batch.id(), 0, 19)).as("10 bytes each").hasSize(1);
    assertThat(store().results(batch.id(), 1, 0)).hasSize(1);
    assertThat(store().results(batch.id(), 4, 99)).isEmpty();
    assertThat(otherNode().batches().results(batch.id(), 0, 99)).isEqualTo(expected);
    assertThat(later().batches().results(batch.id(), 0, 99)).isEqualTo(expected);
  }

  @Test
  @DisplayName("counts results by outcome, and adds up their usage and cost")
  void counts() {
    Batch batch = open("a", 0, 5);
    assertThat(store().usageAndCost(batch.id())).isEqualTo(UsageAndCost.NONE);
    List<LeasedRequest> leased = lease(4);
    for (int i = 0; i < 4; i++) {
      assertThat(queue().finish(leased.get(i).lease(), result(i != 2, "a"))).isTrue();
    }
    Batch now = findBatch(batch.id());
    assertThat(now.counts()).isEqualTo(new Counts(5, 3, 1));
    assertThat(now.version()).as("a result is no new version").isEqualTo(batch.version());
    assertThat(store().usageAndCost(batch.id()))
        .isEqualTo(new UsageAndCost(4, 8, 12, 16, 20, 24, 28));
    assertThat(queue().countWithoutResult(batch.id())).isEqualTo(1);
    assertThat(store().usageAndCost("nobody")).isEqualTo(UsageAndCost.NONE);
    assertThat(queue().countWithoutResult("nobody")).isZero();
  }

  @Test
  @DisplayName("removes requests and results of removed batches, and the batch if asked to")
  void removes() {
    Batch batch = open("a", 0, 5);
    Lease lease = lease(2).getFirst().lease();
    assertThat(queue().finish(lease, result(true, "a"))).isTrue();
    Lease held = lease(queue(), 1, LATER, NEVER).getFirst().lease();
    assertThat(store().removeContent(batch.id(), 1000, true)).as("not removed yet").isZero();
    Batch removed = inPhase(Phase.REMOVED, batch, 5);
    assertThat(store().removeContent(batch.id(), 3, true)).isEqualTo(3);
    assertThat(store().requests(batch.id(), 0, 99)).hasSize(2);
    assertThat(store().results(batch.id(), 0, 99)).isEmpty();
    assertThat(store().removeContent(batch.id(), 3, false)).isEqualTo(2);
    assertThat(queue().countWithoutResult(batch.id())).isZero();
    assertThat(queue().finish(held, result(true, "a"))).isFalse();
    assertThat(findBatch(batch.id()).version()).isEqualTo(removed.version());
    assertThat(findBatch(batch.id()).counts()).isEqualTo(new Counts(5, 1, 0));
    assertThat(store().removeContent(batch.id(), 3, false)).isZero();
    assertThat(store().find(batch.id())).isNotNull();
    assertThat(store().removeContent(batch.id(), 3, true)).isZero();
    assertThat(store().find(batch.id())).isNull();
    assertThat(store().removeContent(batch.id(), 3, true)).isZero();
  }

  // steps

  @Test
  @DisplayName("leases a step to one node until the lease ends or the batch is replaced")
  void steps() {
    Batch batch = inPhase(Phase.STEP, addBatch("a", 0, 1), 1);
    assertThat(queue().leaseStep(NOON, LATER)).isEqualTo(batch);
    BatchQueue other = otherNode().batches().queue();
    assertThat(other.leaseStep(NOON, LATER)).isNull();
    assertThat(other.leaseStep(LATER.minusNanos(1000), NEVER)).isNull();
    queue().renewStep(batch.id(), LATER.plusSeconds(60));
    assertThat(other.leaseStep(LATER, NEVER)).isNull();
    assertThat(other.leaseStep(LATER.plusSeconds(60), LATER.plusSeconds(70))).isEqualTo(batch);
    Batch next = inPhase(Phase.STEP, batch, 1);
    assertThat(queue().leaseStep(LATER, NEVER)).as("replaced").isEqualTo(next);
    assertThat(other.leaseStep(NOON, LATER)).isNull();
    inPhase(Phase.OVER, next, 1);
    assertThat(queue().leaseStep(NEVER.minusSeconds(1), NEVER)).isNull();
    queue().renewStep(batch.id(), NEVER);
    queue().renewStep("nobody", NEVER);
  }

  @Test
  @DisplayName("does not renew the lease of a step that another node has leased since")
  void stepLost() {
    if (otherNode() == stores()) {
      return; // there is only one node
    }
    Batch batch = inPhase(Phase.STEP, addBatch("a", 0, 1), 1);
    assertThat(queue().leaseStep(NOON, LATER)).isEqualTo(batch);
    BatchQueue other = otherNode().batches().queue();
    assertThat(other.leaseStep(LATER, LATER.plusSeconds(1))).isEqualTo(batch);
    queue().renewStep(batch.id(), NEVER);
    assertThat(queue().leaseStep(LATER.plusSeconds(1), NEVER)).isEqualTo(batch);
  }

  @Test
  @DisplayName("a step whose lease is renewed until now is given back")
  void stepGivenBack() {
    Batch batch = inPhase(Phase.STEP, addBatch("a", 0, 1), 1);
    assertThat(queue().leaseStep(NOON, LATER)).isEqualTo(batch);
    queue().renewStep(batch.id(), NOON);
    BatchQueue other = otherNode().batches().queue();
    assertThat(other.leaseStep(NOON.plusNanos(1000), LATER)).isEqualTo(batch);
  }

  @Test
  @DisplayName("leases the step of an open batch with all results, and of a batch that is due")
  void stepsDue() {
    Batch open = open("a", 0, 1);
    assertThat(queue().leaseStep(NOON, LATER)).isNull();
    assertThat(queue().finish(lease(1).getFirst().lease(), result(false, "a"))).isTrue();
    assertThat(queue().leaseStep(NOON, LATER)).isEqualTo(findBatch(open.id()));
    assertThat(queue().leaseStep(NOON, LATER)).isNull();
    Batch over = findBatch(open.id());
    for (Phase phase : Phase.values()) {
      Batch due = over.next(phase, status(phase), LATER, over.body());
      if (phase != Phase.STEP && phase != Phase.OPEN) {
        assertThat(store().replace(due)).isTrue();
        over = due;
        assertThat(queue().leaseStep(due.dueAt().minusNanos(1), NEVER)).as("%s", phase).isNull();
        assertThat(queue().leaseStep(due.dueAt(), NEVER)).as("%s", phase).isEqualTo(due);
        assertThat(queue().leaseStep(due.dueAt(), NEVER)).as("%s", phase).isNull();
      }
    }
  }

  // leases

  @Test
  @DisplayName("leases requests of an open batch in order, each to one node at a time")
  void leases() {
    Batch batch = open("a", 0, 5);
    List<LeasedRequest> first = lease(2);
    assertThat(numbers(first)).containsExactly(0, 1);
    LeasedRequest one = first.get(1);
    assertThat(one)
        .isEqualTo(
            new LeasedRequest(
                new Lease(batch.id(), 1, one.lease().token()),
                batch,
                request(1, "{\"n\":1}"),
                0,
                BillingStatus.NOT_BILLED,
                0));
    BatchQueue other = otherNode().batches().queue();
    assertThat(numbers(lease(other, 2, NOON, LATER))).containsExactly(2, 3);
    assertThat(numbers(lease(100))).containsExactly(4);
    assertThat(lease(100)).isEmpty();
    assertThat(lease(other, 100, LATER.minusNanos(1000), NEVER)).isEmpty();
    assertThat(queue().countWithoutResult(batch.id())).isEqualTo(5);
  }

  @Test
  @DisplayName("leases no request of a batch that is in another phase or due")
  void leasesOpenOnly() {
    Batch batch = addBatch("a", 0, 1);
    assertThat(lease(1)).isEmpty();
    batch = inPhase(Phase.STEP, batch, 1);
    assertThat(lease(1)).isEmpty();
    batch = inPhase(Phase.OPEN, batch, 1);
    Batch due = batch.next(Phase.OPEN, "in_progress", NOON, batch.body());
    assertThat(store().replace(due)).isTrue();
    assertThat(lease(1)).isEmpty();
    assertThat(lease(queue(), 1, due.dueAt().minusNanos(1), LATER)).hasSize(1);
    inPhase(Phase.OVER, due, 1);
    assertThat(lease(queue(), 1, LATER, NEVER)).isEmpty();
  }

  @Test
  @DisplayName("takes turns among batches, and leases the lowest numbers of each first")
  void turns() {
    open("a", 0, 4);
    open("b", 1, 1);
    open("c", 2, 4);
    var order = new ArrayList<String>();
    for (List<LeasedRequest> leased = lease(2); !leased.isEmpty(); leased = lease(2)) {
      order.add(leased.getFirst().batch().id().substring(prefix.length()) + numbers(leased));
    }
    assertThat(order).hasSize(5).contains("a[0, 1]", "a[2, 3]", "b[0]", "c[0, 1]", "c[2, 3]");
    assertThat(order.subList(0, 3)).containsExactlyInAnyOrder("a[0, 1]", "b[0]", "c[0, 1]");
    assertThat(order.getLast().charAt(0))
        .as("the same order again")
        .isNotEqualTo(order.get(3).charAt(0));
  }

  /** Adds an open batch in a workspace of its own. */
  private Batch openElsewhere(String name, int second, int requests) {
    Batch here = newBatch(name, second);
    var there =
        new Batch(
            here.id(),
            UUID.randomUUID().toString(),
            here.phase(),
            here.status(),
            here.createdAt(),
            here.dueAt(),
            here.version(),
            here.counts(),
            here.body());
    assertThat(store().add(there)).isTrue();
    store()
        .addRequests(
            there.id(), IntStream.range(0, requests).mapToObj(i -> request(i, "{}")).toList());
    return inPhase(Phase.OPEN, there, requests);
  }

  private String next(Set<String> last, Set<String> without) {
    var order = new LeaseOrder(last, without);
    List<LeasedRequest> leased = queue().lease(1, NOON, LATER, NOON.minus(CLAIM_WAIT), order);
    return leased.isEmpty() ? "" : leased.getFirst().batch().id().substring(prefix.length());
  }

  @Test
  @DisplayName("leases from given workspaces last, and from excluded batches nothing")
  void order() {
    Batch a = open("a", 0, 3);
    Batch b = open("b", 1, 1);
    Batch c = openElsewhere("c", 2, 2);
    Set<String> odd = Set.of("", "a\0", "\ud800", "nobody");
    assertThat(next(Set.of(workspace), odd)).isEqualTo("c");
    assertThat(next(Set.of(workspace), Set.of(c.id())))
        .as("only batches of the last workspace")
        .isEqualTo("a");
    assertThat(next(odd, Set.of(b.id(), c.id()))).isEqualTo("a");
    assertThat(next(Set.of(), Set.of(a.id(), b.id(), c.id()))).isEmpty();
    assertThat(next(Set.of(workspace, c.workspace()), Set.of(c.id()))).isEqualTo("b");
    assertThat(next(Set.of(c.workspace()), Set.of())).isEqualTo("a");
    assertThat(next(Set.of(c.workspace()), Set.of()))
        .as("the other batches have no free requests")
        .isEqualTo("c");
    assertThat(next(Set.of(c.workspace()), Set.of())).isEmpty();
  }

  @Test
  @DisplayName("rejects limits outside 1 to 100 for leases and 1 to 1,000 for results and removals")
  void bounds() {
    for (int limit : new int[] {0, 101}) {
      assertThatThrownBy(() -> lease(limit)).isInstanceOf(IllegalArgumentException.class);
    }
    Result end = result(false, "a");
    for (int limit : new int[] {0, 1001}) {
      assertThatThrownBy(() -> queue().finishRemaining("a", end, NOON, limit))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> store().removeContent("a", limit, false))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  @DisplayName("leases each request once when several nodes lease at the same time")
  void exclusive() throws Exception {
    Batch a = open("a", 0, 230);
    Batch b = open("b", 1, 70);
    List<Callable<List<Lease>>> workers =
        IntStream.range(0, 6)
            .<Callable<List<Lease>>>mapToObj(
                i -> () -> untilEmpty((i % 2 == 0 ? stores() : otherNode()).batches().queue()))
            .toList();
    var all = new ArrayList<Lease>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var worker : threads.invokeAll(workers)) {
        all.addAll(worker.get());
      }
    }
    assertThat(all.stream().map(lease -> lease.batch() + lease.number()).distinct()).hasSize(300);
    assertThat(all).hasSize(300);
    assertThat(all.stream().map(Lease::token).distinct()).as("tokens differ").hasSize(300);
    assertThat(findBatch(a.id()).counts()).isEqualTo(new Counts(230, 230, 0));
    assertThat(findBatch(b.id()).counts()).isEqualTo(new Counts(70, 70, 0));
    assertThat(store().usageAndCost(b.id()).billedNanoUsd()).isEqualTo(70 * 5);
  }

  private static List<Lease> untilEmpty(BatchQueue queue) {
    var all = new ArrayList<Lease>();
    List<LeasedRequest> leased = lease(queue, 7, NOON, LATER);
    while (!leased.isEmpty()) {
      for (LeasedRequest each : leased) {
        assertThat(queue.finish(each.lease(), result(true, "a"))).isTrue();
        all.add(each.lease());
      }
      leased = lease(queue, 7, NOON, LATER);
    }
    return all;
  }

  @Test
  @DisplayName("leases a request again after its lease; the former holder can change nothing")
  void takenOver() {
    Batch batch = open("a", 0, 2);
    Lease lost = lease(1).getFirst().lease();
    BatchQueue other = otherNode().batches().queue();
    List<LeasedRequest> over = lease(other, 1, LATER, LATER.plusSeconds(60));
    assertThat(numbers(over)).as("the lowest first").containsExactly(0);
    assertThat(over.getFirst().attempts()).isZero();
    assertThat(queue().claim(lost, GENERATION + "a", new Usd(1))).isFalse();
    assertThat(queue().finish(lost, result(true, "a"))).isFalse();
    assertThat(queue().renew(List.of(lost), NEVER)).isEmpty();
    queue().postpone(lost, NOON, true);
    assertThat(numbers(lease(queue(), 9, LATER, NEVER))).containsExactly(1);
    assertThat(queue().finishRemaining(batch.id(), result(false, "a"), NOON, 9))
        .as("open")
        .isZero();
    Lease held = over.getFirst().lease();
    assertThat(other.renew(List.of(held), NEVER)).containsExactly(held);
    assertThat(other.finish(held, result(true, "a"))).isTrue();
    assertThat(other.finish(held, result(true, "a"))).as("again").isFalse();
    assertThat(other.claim(held, GENERATION + "a", new Usd(1))).isFalse();
    assertThat(findBatch(batch.id()).counts()).isEqualTo(new Counts(2, 1, 0));
    for (String odd : List.of("", "\0", "nobody")) {
      assertThat(queue().finish(new Lease(odd, 0, odd), result(true, "a"))).isFalse();
      assertThat(queue().claim(new Lease(odd, 0, odd), "gen", Usd.ZERO)).isFalse();
      assertThat(queue().renew(List.of(new Lease(odd, 0, odd)), NEVER)).isEmpty();
      queue().postpone(new Lease(odd, 0, odd), NOON, true);
    }
  }

  @Test
  @DisplayName("a holder may continue after its lease until another node leases the request")
  void late() {
    Batch batch = open("a", 0, 2);
    List<LeasedRequest> leased = lease(2);
    List<Lease> both = leased.stream().map(LeasedRequest::lease).toList();
    assertThat(queue().renew(both, LATER.plusSeconds(60))).isEqualTo(Set.copyOf(both));
    assertThat(lease(queue(), 9, LATER, NEVER)).as("renewed").isEmpty();
    assertThat(queue().claim(both.getFirst(), GENERATION + "a", new Usd(1))).isTrue();
    assertThat(queue().finish(both.getFirst(), result(true, "a"))).isTrue();
    assertThat(new HashSet<>(queue().renew(both, NEVER))).containsExactly(both.get(1));
    assertThat(queue().renew(List.of(), NEVER)).isEmpty();
    assertThat(queue().countWithoutResult(batch.id())).isEqualTo(1);
  }

  @Test
  @DisplayName("leases a postponed request from its time on, and counts an attempt if told to")
  void postponed() {
    Batch batch = open("a", 0, 3);
    List<LeasedRequest> leased = lease(2);
    queue().postpone(leased.get(0).lease(), LATER, true);
    queue().postpone(leased.get(1).lease(), NOON, false);
    assertThat(queue().finish(leased.get(0).lease(), result(true, "a"))).as("given back").isFalse();
    assertThat(queue().renew(List.of(leased.get(1).lease()), NEVER)).isEmpty();
    List<LeasedRequest> again = lease(queue(), 9, NOON.plusNanos(1000), LATER);
    assertThat(numbers(again)).containsExactly(1, 2);
    assertThat(again.getFirst().attempts()).isZero();
    assertThat(lease(queue(), 9, LATER.minusNanos(1000), NEVER)).isEmpty();
    List<LeasedRequest> all = lease(queue(), 9, LATER.plusNanos(1000), NEVER);
    assertThat(numbers(all)).containsExactly(0, 1, 2);
    assertThat(all).extracting(LeasedRequest::attempts).containsExactly(1, 0, 0);
    queue().postpone(all.getFirst().lease(), LATER, true);
    assertThat(lease(queue(), 9, LATER.plusNanos(1000), NEVER))
        .extracting(LeasedRequest::attempts)
        .containsExactly(2);
    assertThat(queue().countWithoutResult(batch.id())).isEqualTo(3);
  }

  // bills

  private Posting bill(String generation) {
    var line =
        new LedgerEntry(
            generation,
            0,
            NOON,
            "acme/large",
            "",
            CallRecord.Outcome.COMPLETE,
            Usage.NONE,
            Charge.credits(new Usd(9)));
    return new Posting(
        List.of(line),
        List.of(new Posting.Account("key:" + workspace, "all")),
        new Generation(generation, workspace, NOON, new byte[] {1}, null));
  }

  @Test
  @DisplayName("tells the next holder the claimed amount, and whether the request was billed")
  void claims() {
    open("a", 0, 3);
    List<LeasedRequest> leased = lease(3);
    String billed = GENERATION + UUID.randomUUID();
    assertThat(queue().claim(leased.get(0).lease(), billed, new Usd(9))).isTrue();
    stores().ledger().append(bill(billed));
    String unbilled = GENERATION + UUID.randomUUID();
    assertThat(queue().claim(leased.get(1).lease(), unbilled, new Usd(8))).isTrue();
    List<LeasedRequest> next = lease(queue(), 3, LATER, LATER.plusSeconds(1));
    assertThat(next)
        .extracting(LeasedRequest::billingStatus)
        .containsExactly(BillingStatus.BILLED, BillingStatus.NOT_BILLED, BillingStatus.NOT_BILLED);
    assertThat(next).extracting(LeasedRequest::claimedNanoUsd).containsExactly(9L, 8L, 0L);
    queue().postpone(next.get(0).lease(), LATER, true);
    String again = GENERATION + UUID.randomUUID();
    assertThat(queue().claim(next.get(1).lease(), again, new Usd(7))).isTrue();
    stores().ledger().append(bill(again));
    List<LeasedRequest> last = lease(queue(), 3, NEVER.minusSeconds(9), NEVER);
    assertThat(last)
        .extracting(LeasedRequest::billingStatus)
        .containsExactly(BillingStatus.BILLED, BillingStatus.BILLED, BillingStatus.NOT_BILLED);
    assertThat(last).extracting(LeasedRequest::claimedNanoUsd).containsExactly(9L, 7L, 0L);
    Lease lease = last.getFirst().lease();
    assertThat(queue().finish(lease, result(true, "a"))).isTrue();
  }

  @Test
  @DisplayName("the last of several claims counts: it has the sum of all parts")
  void claimsOfParts() {
    open("a", 0, 1);
    Lease lease = lease(1).getFirst().lease();
    assertThat(queue().claim(lease, "", new Usd(9))).isTrue();
    assertThat(queue().claim(lease, "", new Usd(21))).isTrue();
    LeasedRequest next = lease(queue(), 1, LATER, LATER.plusSeconds(1)).getFirst();
    assertThat(next.billingStatus()).isEqualTo(BillingStatus.BILLED);
    assertThat(next.claimedNanoUsd()).isEqualTo(21);
    assertThat(queue().claim(lease, "", new Usd(30))).as("the lease is lost").isFalse();
  }

  @Test
  @DisplayName("treats a request as billed if its claim names no generation")
  void claimsWithoutRecord() {
    open("a", 0, 1);
    assertThat(queue().claim(lease(1).getFirst().lease(), "", new Usd(9))).isTrue();
    LeasedRequest next = lease(queue(), 1, LATER, LATER.plusSeconds(1)).getFirst();
    assertThat(next.billingStatus()).isEqualTo(BillingStatus.BILLED);
    assertThat(next.claimedNanoUsd()).isEqualTo(9);
  }

  @Test
  @DisplayName("leases a request that a living node claimed only after the claim cutoff")
  void claimCutoff() {
    if (otherNode() == stores()) {
      return; // there is only one node
    }
    open("a", 0, 1);
    Lease lease = lease(1).getFirst().lease();
    assertThat(queue().claim(lease, GENERATION + UUID.randomUUID(), new Usd(8))).isTrue();
    BatchQueue other = otherNode().batches().queue();
    Instant now = LATER.plus(CLAIM_WAIT);
    assertThat(other.lease(1, now, NEVER, LATER, LeaseOrder.ROUND_ROBIN)).isEmpty();
    assertThat(other.lease(1, now, NEVER, LATER.plusNanos(1000), LeaseOrder.ROUND_ROBIN))
        .singleElement()
        .satisfies(
            leased -> {
              assertThat(leased.billingStatus()).isEqualTo(BillingStatus.UNKNOWN);
              assertThat(leased.claimedNanoUsd()).isEqualTo(8);
            });
  }

  // ends

  @Test
  @DisplayName("writes a result for all requests that are not leased, once the batch is not open")
  void finishesRest() {
    Batch batch = open("a", 0, 6);
    List<LeasedRequest> leased = lease(3);
    assertThat(queue().finish(leased.get(0).lease(), result(true, "a"))).isTrue();
    queue().postpone(leased.get(1).lease(), NEVER, false);
    Result end = result(false, "end");
    assertThat(queue().finishRemaining(batch.id(), end, NOON, 9)).as("it is open").isZero();
    inPhase(Phase.STEP, batch, 6);
    assertThat(queue().finishRemaining(batch.id(), end, NOON, 2)).isEqualTo(2);
    assertThat(queue().finishRemaining(batch.id(), end, NOON, 9)).isEqualTo(2);
    assertThat(queue().finishRemaining(batch.id(), end, NOON, 9)).isZero();
    assertThat(queue().countWithoutResult(batch.id())).as("one is leased").isEqualTo(1);
    assertThat(findBatch(batch.id()).counts()).isEqualTo(new Counts(6, 1, 4));
    assertThat(store().usageAndCost(batch.id()).promptTokens()).isEqualTo(5);
    assertThat(queue().finishRemaining(batch.id(), end, LATER.minusNanos(1000), 9)).isZero();
    assertThat(queue().finishRemaining(batch.id(), end, LATER.plusNanos(1000), 9)).isEqualTo(1);
    assertThat(queue().finish(leased.get(2).lease(), result(true, "a"))).isFalse();
    assertThat(store().results(batch.id(), 0, 999))
        .hasSize(6)
        .filteredOn(each -> each.number() > 0)
        .extracting(AnsweredRequest::result)
        .containsOnly(end);
    assertThat(queue().finishRemaining("nobody", end, NOON, 9)).isZero();
  }

  @Test
  @DisplayName("writes many results, and removes many requests, in one call")
  void many() {
    Batch batch = open("a", 0, 700);
    inPhase(Phase.STEP, batch, 700);
    byte[] body = new byte[2000];
    Arrays.fill(body, (byte) '1');
    var end = new Result(false, "", body, UsageAndCost.NONE);
    assertThat(queue().finishRemaining(batch.id(), end, NOON, 1000)).isEqualTo(700);
    assertThat(findBatch(batch.id()).counts()).isEqualTo(new Counts(700, 0, 700));
    assertThat(store().results(batch.id(), 0, Long.MAX_VALUE)).hasSize(700);
    inPhase(Phase.REMOVED, findBatch(batch.id()), 700);
    assertThat(store().removeContent(batch.id(), 700, false)).isEqualTo(700);
    assertThat(store().results(batch.id(), 0, Long.MAX_VALUE)).isEmpty();
  }
}
