package io.strowger.spi.store;

import io.strowger.spi.json.Json;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Keeps batches with their requests and results. What a batch means, and which status follows
 * which, is the engine's. Contract: "Batch", "Batch operations"; decision 59.
 *
 * <p>Safe on any thread. Every method may wait for a database, at most two seconds, and then throws
 * {@link StoreUnavailableException}; what it was asked to do may then be done yet. Contract test:
 * {@code BatchStoreContract} in engine-tck.
 */
public interface BatchStore {
  /** The phase of a batch, which decides what may be done with it. */
  enum Phase {
    /** Its requests are being added. It is in no listing. */
    RECEIVING,
    /** One node at a time takes its next step, such as checking its requests. */
    STEP,
    /** Its requests are handed out by {@link BatchQueue#lease}. */
    OPEN,
    /** It is over. Its requests and results are kept until it is due. */
    OVER,
    /** Its requests and results are removed. It is in no listing. */
    REMOVED
  }

  /**
   * A batch.
   *
   * @param id unique; 1 to 200 characters, as the id of a {@link Document}
   * @param workspace by which batches are listed; as the id
   * @param phase what may be done with it
   * @param status in the words of the contract; only compared
   * @param createdAt cut to microseconds, which is what databases keep; listings are ordered by it
   * @param dueAt from when on a node takes its next step although its phase is another one; cut to
   *     microseconds
   * @param version 1 when it is new, then one more with every {@link #replace}
   * @param counts of its requests
   * @param body the engine's
   */
  record Batch(
      String id,
      String workspace,
      Phase phase,
      String status,
      Instant createdAt,
      Instant dueAt,
      long version,
      Counts counts,
      Json.Obj body) {
    public Batch {
      if (!Document.isName(id) || !Document.isName(workspace)) {
        throw new IllegalArgumentException(
            "id and workspace must be text of 1 to 200 characters without NUL");
      }
      if (version < 1) {
        throw new IllegalArgumentException("version must be at least 1, was " + version);
      }
      Objects.requireNonNull(phase, "phase");
      Objects.requireNonNull(status, "status");
      Objects.requireNonNull(counts, "counts");
      Objects.requireNonNull(body, "body");
      createdAt = createdAt.truncatedTo(ChronoUnit.MICROS);
      dueAt = dueAt.truncatedTo(ChronoUnit.MICROS);
    }

    /** Returns its next version: how it goes on, and what its body says then. */
    public Batch next(Phase nextPhase, String nextStatus, Instant nextDue, Json.Obj nextBody) {
      return new Batch(
          id, workspace, nextPhase, nextStatus, createdAt, nextDue, version + 1, counts, nextBody);
    }

    /** Returns the same version with another number of requests. */
    public Batch withTotal(int total) {
      return new Batch(
          id,
          workspace,
          phase,
          status,
          createdAt,
          dueAt,
          version,
          new Counts(total, counts.completed(), counts.failed()),
          body);
    }

    /** Returns what it is and not what it says, which may be private. */
    @Override
    public String toString() {
      return "batch " + id + " " + status + " version " + version;
    }
  }

  /**
   * How many requests a batch has.
   *
   * @param total all of them; 0 while they are being added
   * @param completed that have a response
   * @param failed that have an error
   */
  record Counts(int total, int completed, int failed) {
    public static final Counts NONE = new Counts(0, 0, 0);

    public Counts {
      if (total < 0 || completed < 0 || failed < 0) {
        throw new IllegalArgumentException("counts must be at least 0");
      }
    }

    /** Whether each request has a result. */
    public boolean isDone() {
      return completed + failed >= total;
    }
  }

  /**
   * One request of a batch. Its array belongs to it: nobody changes it once it is made.
   *
   * @param number its place in the batch, from 0
   * @param customId the caller's name for it; 1 to 200 characters
   * @param body JSON in UTF-8
   */
  record Request(int number, String customId, byte[] body) {
    public Request {
      Objects.requireNonNull(customId, "customId");
      Objects.requireNonNull(body, "body");
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Request that
          && number == that.number
          && customId.equals(that.customId)
          && Arrays.equals(body, that.body);
    }

    @Override
    public int hashCode() {
      return 31 * number + customId.hashCode();
    }

    /** Returns which it is and not what it says. */
    @Override
    public String toString() {
      return "request " + number;
    }
  }

  /**
   * The result of a request. Its array belongs to it.
   *
   * @param completed it has a response; false: an error
   * @param generation id of the request that was made, {@code gen-batch-...}; empty when none was
   * @param body JSON in UTF-8: the response's body, or the error
   * @param figures what was used and paid
   */
  record Result(boolean completed, String generation, byte[] body, UsageAndCost figures) {
    public Result {
      Objects.requireNonNull(generation, "generation");
      Objects.requireNonNull(body, "body");
      Objects.requireNonNull(figures, "figures");
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Result that
          && completed == that.completed
          && generation.equals(that.generation)
          && Arrays.equals(body, that.body)
          && figures.equals(that.figures);
    }

    @Override
    public int hashCode() {
      return 31 * generation.hashCode() + Arrays.hashCode(body);
    }

    /** Returns which it is and not what it says. */
    @Override
    public String toString() {
      return (completed ? "response " : "error ") + generation;
    }
  }

  /**
   * The usage and the cost of a request or a batch. Every number is at least 0.
   *
   * @param promptTokens read
   * @param completionTokens written, reasoning included
   * @param cachedTokens of the prompt, read from a cache
   * @param reasoningTokens of those written
   * @param billedNanos charged to credits, in billionths of a US dollar
   * @param overrunNanos of it, what was more than was held
   * @param byokRequests for which a key of the customer's own was used
   */
  record UsageAndCost(
      long promptTokens,
      long completionTokens,
      long cachedTokens,
      long reasoningTokens,
      long billedNanos,
      long overrunNanos,
      long byokRequests) {
    public static final UsageAndCost NONE = new UsageAndCost(0, 0, 0, 0, 0, 0, 0);

    /** Returns both together. */
    public UsageAndCost plus(UsageAndCost other) {
      return new UsageAndCost(
          promptTokens + other.promptTokens,
          completionTokens + other.completionTokens,
          cachedTokens + other.cachedTokens,
          reasoningTokens + other.reasoningTokens,
          billedNanos + other.billedNanos,
          overrunNanos + other.overrunNanos,
          byokRequests + other.byokRequests);
    }
  }

  /**
   * A request with its result.
   *
   * @param number its place in the batch, from 0
   * @param customId the caller's name for it
   * @param result what became of it
   */
  record Answered(int number, String customId, Result result) {}

  /**
   * Which batches are listed.
   *
   * @param workspace whose
   * @param statuses any of these; empty: all
   * @param after id of the batch the list goes on behind; null: from the newest on
   * @param createdAfter only batches created later than this; null: all
   * @param createdBefore only batches created earlier than this; null: all
   * @param limit 1 to 1000
   */
  record Filter(
      String workspace,
      List<String> statuses,
      @Nullable String after,
      @Nullable Instant createdAfter,
      @Nullable Instant createdBefore,
      int limit) {
    // spelled out: the compiler forgets what may be null in a compact one
    public Filter(
        String workspace,
        List<String> statuses,
        @Nullable String after,
        @Nullable Instant createdAfter,
        @Nullable Instant createdBefore,
        int limit) {
      if (limit < 1 || limit > 1000) {
        throw new IllegalArgumentException("limit must be 1 to 1000, was " + limit);
      }
      this.workspace = Objects.requireNonNull(workspace, "workspace");
      this.statuses = List.copyOf(statuses);
      this.after = after;
      this.createdAfter = createdAfter;
      this.createdBefore = createdBefore;
      this.limit = limit;
    }
  }

  /**
   * Adds a batch, which is {@link Phase#RECEIVING} and has version 1.
   *
   * @return false when there is one of this id
   */
  boolean add(Batch batch);

  /**
   * Adds requests to a batch that is {@link Phase#RECEIVING}; at most a few hundred, in ascending
   * order of numbers.
   *
   * <p>What was added before is left as it is, so that who was not answered may ask again.
   *
   * @throws StoreRefusedException when the store has no room for them, or the batch receives none:
   *     another attempt fails, too
   */
  void addRequests(String batch, List<Request> requests);

  /**
   * Writes the next version of a batch. Of its counts only {@link Counts#total()} is written: the
   * others follow from the results. When it returns true, that survives the end of the process.
   *
   * @return false when the version before is not the one that is there
   */
  boolean replace(Batch next);

  /** Returns the batch of this id, in any phase; null when there is none. */
  @Nullable Batch find(String id);

  /**
   * Returns batches, the newest first and those of one moment in descending order of id; none that
   * is {@link Phase#RECEIVING} or {@link Phase#REMOVED}. Behind an id that is not of this workspace
   * there is nothing.
   */
  List<Batch> list(Filter filter);

  /**
   * Returns requests of a batch, whether or not they have results, in ascending order of numbers.
   *
   * @param from the first number
   * @param mostBytes of bodies; one request is returned in any case
   * @return at most 1,000; empty: there are no more
   */
  List<Request> requests(String batch, int from, long mostBytes);

  /** Returns requests with results, as {@link #requests} does; those without are left out. */
  List<Answered> results(String batch, int from, long mostBytes);

  /** Returns the sum of the figures of all results of a batch. */
  UsageAndCost figures(String batch);

  /**
   * Removes requests and results of a batch that is {@link Phase#REMOVED}, and after the last of
   * them, where so asked, the batch itself.
   *
   * @param most how many at most; 1 to 1000
   * @param whole also the batch itself
   * @return how many were removed; fewer than {@code most} when nothing is left
   */
  int removeContent(String batch, int most, boolean whole);

  /** Returns what hands out the work. */
  BatchQueue queue();
}
