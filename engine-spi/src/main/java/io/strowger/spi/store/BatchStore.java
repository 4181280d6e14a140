package io.strowger.spi.store;

import io.strowger.spi.json.Json;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Keeps batches with their requests and results. The meaning of a batch and the order of its
 * statuses are the engine's concern. Contract: "Batch", "Batch operations"; decision 59.
 *
 * <p>Safe on any thread. Every method may wait for a database, at most two seconds, and then throws
 * {@link StoreUnavailableException}; the operation may nevertheless take effect. Contract test:
 * {@code BatchStoreContract} in engine-tck.
 */
public interface BatchStore {
  /** The phase of a batch, which decides what may be done with it. */
  enum Phase {
    /** Its requests are being added. No listing contains the batch. */
    RECEIVING,
    /** One node at a time takes its next step, such as checking its requests. */
    STEP,
    /** Its requests are handed out by {@link BatchQueue#lease}. */
    OPEN,
    /** The batch is finished. Its requests and results are kept until it is due. */
    OVER,
    /** Its requests and results are being removed. No listing contains the batch. */
    REMOVED
  }

  /**
   * A batch.
   *
   * @param id unique id; 1 to 200 characters, as for a {@link Document}
   * @param workspace the workspace whose listing contains the batch; same form as the id
   * @param phase the phase, which decides what may be done with the batch
   * @param status the contract's status; the store only compares it
   * @param createdAt when it was created, truncated to microseconds; listings are ordered by it
   * @param dueAt the time from which a node takes the next step of the batch, whatever its phase;
   *     truncated to microseconds
   * @param version 1 when it is new, then one more with every {@link #replace}
   * @param counts how many requests it has, by outcome
   * @param body the engine's data about the batch; opaque to the store
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
      if (!Document.isValidId(id) || !Document.isValidId(workspace)) {
        throw new IllegalArgumentException(
            "id and workspace must be text of 1 to 200 characters without NUL or lone surrogates");
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

    /** Returns the next version of this batch, with these values. */
    public Batch next(Phase nextPhase, String nextStatus, Instant nextDue, Json.Obj nextBody) {
      return new Batch(
          id, workspace, nextPhase, nextStatus, createdAt, nextDue, version + 1, counts, nextBody);
    }

    /** Returns the same version with another total of requests. */
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

    /** Returns id, status and version; the body may be private. */
    @Override
    public String toString() {
      return "batch " + id + " " + status + " version " + version;
    }
  }

  /**
   * How many requests a batch has, by outcome.
   *
   * @param total the number of all requests; 0 while they are being added
   * @param completed how many have a response
   * @param failed how many have an error
   */
  record Counts(int total, int completed, int failed) {
    public static final Counts NONE = new Counts(0, 0, 0);

    public Counts {
      if (total < 0 || completed < 0 || failed < 0) {
        throw new IllegalArgumentException("counts must be at least 0");
      }
    }

    /** Returns whether every request has a result. */
    public boolean isDone() {
      return completed + failed >= total;
    }
  }

  /**
   * One request of a batch. It owns its array, which must not change after construction.
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

    /** Returns the number; the body is private. */
    @Override
    public String toString() {
      return "request " + number;
    }
  }

  /**
   * The result of a request. It owns its array, which must not change after construction.
   *
   * @param completed true when the request has a response; false when it has an error
   * @param generation generation id, {@code gen-batch-...}; empty when no request was made
   * @param body JSON in UTF-8: the response's body, or the error
   * @param usageAndCost the usage and the cost
   */
  record Result(boolean completed, String generation, byte[] body, UsageAndCost usageAndCost) {
    public Result {
      Objects.requireNonNull(generation, "generation");
      Objects.requireNonNull(body, "body");
      Objects.requireNonNull(usageAndCost, "usageAndCost");
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Result that
          && completed == that.completed
          && generation.equals(that.generation)
          && Arrays.equals(body, that.body)
          && usageAndCost.equals(that.usageAndCost);
    }

    @Override
    public int hashCode() {
      return 31 * generation.hashCode() + Arrays.hashCode(body);
    }

    /** Returns the outcome and the generation id; the body is private. */
    @Override
    public String toString() {
      return (completed ? "response " : "error ") + generation;
    }
  }

  /**
   * The usage and the cost of a request or a batch. Every number is at least 0.
   *
   * @param promptTokens tokens of the prompts
   * @param completionTokens tokens of the answers, reasoning included
   * @param cachedTokens the part of the prompt tokens that was read from a cache
   * @param reasoningTokens the part of the completion tokens that was reasoning
   * @param billedNanoUsd the amount charged to credits, in billionths of a US dollar
   * @param overrunNanoUsd the part of {@code billedNanoUsd} that exceeded what was held
   * @param byokRequests how many requests used a BYOK key
   */
  record UsageAndCost(
      long promptTokens,
      long completionTokens,
      long cachedTokens,
      long reasoningTokens,
      long billedNanoUsd,
      long overrunNanoUsd,
      long byokRequests) {
    public static final UsageAndCost NONE = new UsageAndCost(0, 0, 0, 0, 0, 0, 0);

    /** Returns the sum of this and the other, member by member. */
    public UsageAndCost plus(UsageAndCost other) {
      return new UsageAndCost(
          promptTokens + other.promptTokens,
          completionTokens + other.completionTokens,
          cachedTokens + other.cachedTokens,
          reasoningTokens + other.reasoningTokens,
          billedNanoUsd + other.billedNanoUsd,
          overrunNanoUsd + other.overrunNanoUsd,
          byokRequests + other.byokRequests);
    }
  }

  /**
   * A request with its result.
   *
   * @param number its place in the batch, from 0
   * @param customId the caller's name for it
   * @param result its result
   */
  record AnsweredRequest(int number, String customId, Result result) {}

  /**
   * Selects the batches to list.
   *
   * @param workspace the workspace of the batches
   * @param statuses the statuses to include; empty: all
   * @param after id of the last batch of the previous page; null: begin with the newest
   * @param createdAfter only batches created later than this; null: all
   * @param createdBefore only batches created earlier than this; null: all
   * @param limit the maximum number of batches to return; 1 to 1000
   */
  record Filter(
      String workspace,
      List<String> statuses,
      @Nullable String after,
      @Nullable Instant createdAfter,
      @Nullable Instant createdBefore,
      int limit) {
    // not compact: in a compact constructor the compiler loses the @Nullable of the parameters
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
   * Adds a batch, which must be {@link Phase#RECEIVING} and have version 1.
   *
   * @return false when a batch with this id exists
   */
  boolean add(Batch batch);

  /**
   * Adds requests to a batch that is {@link Phase#RECEIVING}; at most a few hundred, in ascending
   * order of numbers.
   *
   * <p>Requests that were added before stay as they are, so a call that failed may be repeated.
   *
   * @throws StoreRefusedException when the store has no room for them, or the batch takes no more
   *     requests: a retry fails, too
   */
  void addRequests(String batch, List<Request> requests);

  /**
   * Writes the next version of a batch. Of its counts only {@link Counts#total()} is written; the
   * store derives the others from the results. When this returns true, the new version survives the
   * end of the process.
   *
   * @return false when the stored version is not the one before {@code next}
   */
  boolean replace(Batch next);

  /** Returns the batch of this id, in any phase; null when there is none. */
  @Nullable Batch find(String id);

  /**
   * Returns batches, newest first; those created at the same moment are in descending order of id.
   * None is {@link Phase#RECEIVING} or {@link Phase#REMOVED}. Empty when {@link Filter#after} is
   * not the id of a batch of this workspace.
   */
  List<Batch> list(Filter filter);

  /**
   * Returns requests of a batch, whether or not they have results, in ascending order of numbers.
   *
   * @param firstNumber number of the first request
   * @param maxBytes maximum size of all bodies together, in bytes; a first request with a larger
   *     body is returned alone
   * @return at most 1,000 requests; empty when there are no more
   */
  List<Request> requests(String batch, int firstNumber, long maxBytes);

  /** Returns requests with results, as {@link #requests} does; omits those without a result. */
  List<AnsweredRequest> results(String batch, int firstNumber, long maxBytes);

  /** Returns the sum of the figures of all results of a batch. */
  UsageAndCost usageAndCost(String batch);

  /**
   * Removes requests and results of a batch that is {@link Phase#REMOVED} and, if {@code
   * removeBatch} is true, the batch itself after the last of them.
   *
   * @param limit how many requests at most; 1 to 1000
   * @param removeBatch whether to remove the batch itself, too
   * @return how many requests were removed; fewer than {@code limit} when nothing is left
   */
  int removeContent(String batch, int limit, boolean removeBatch);

  /** Returns the queue that leases the requests to nodes. */
  BatchQueue queue();
}
