package io.strowger.core.flow;

import io.strowger.core.account.Funds;
import io.strowger.core.attempt.AttemptLoop;
import io.strowger.core.health.Statistics;
import io.strowger.core.meter.Bill;
import io.strowger.core.meter.EndCause;
import io.strowger.core.meter.PromptSize;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.routing.RoutePlan;
import io.strowger.spi.routing.RoutingQuery;
import io.strowger.spi.routing.TraceEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One decision and what came of it: the steps 7 to 15 of the pipeline, once. A plain request has
 * one; a plugin that goes on several times makes several. Written by the thread that serves it
 * until its answer begins, and once more by whoever ends the answer.
 *
 * <p>What is set aside for it ends once: with the answer that has begun, or with the turn when it
 * is refused or closed before. An answer that comes after that is nobody's.
 */
final class Turn {
  private final InferenceRequest request;
  private final PromptSize size;
  private final Lines lines;
  private final Witness witness;
  private Statistics statistics = Statistics.NONE;
  private volatile @Nullable RoutingQuery query;
  private volatile @Nullable RoutePlan plan;
  private volatile @Nullable Funds funds;
  private volatile List<TraceEntry> attempts = List.of();
  private final AtomicReference<Progress> progress = new AtomicReference<>(Progress.Bare.OPEN);
  private volatile MeteredAnswer.@Nullable End end;
  private volatile @Nullable GatewayError error;
  private volatile boolean cancelled;
  private volatile @Nullable String cut;

  /** How far it has come. */
  private sealed interface Progress {
    /** Nobody delivers yet, or nobody ever will. */
    enum Bare implements Progress {
      OPEN,
      OVER
    }

    /** Somebody delivers. */
    record Answering(AttemptLoop.Outcome.Delivers by, MeteredAnswer answer) implements Progress {}
  }

  Turn(InferenceRequest request, Lines lines, Witness witness) {
    this.request = request;
    this.witness = witness;
    this.lines = lines;
    this.size = PromptSize.of(request);
  }

  InferenceRequest request() {
    return request;
  }

  /** What there is to say of the answer beside its bill. */
  Witness witness() {
    return witness;
  }

  PromptSize size() {
    return size;
  }

  void decided(RoutingQuery asked, Statistics fared, RoutePlan decision) {
    statistics = fared;
    query = asked;
    plan = decision;
  }

  @Nullable RoutingQuery query() {
    return query;
  }

  Statistics statistics() {
    return statistics;
  }

  /** Null before anything was decided. */
  @Nullable RoutePlan plan() {
    return plan;
  }

  void holds(Funds granted) {
    funds = granted;
    if (isOver()) {
      granted.release(); // closed meanwhile
    }
  }

  /** Refused, or closed before anybody delivered: nothing is set aside any more. */
  boolean isOver() {
    return progress.get() == Progress.Bare.OVER;
  }

  /** What is set aside for it; null when nothing was. */
  @Nullable Funds funds() {
    return funds;
  }

  /** Nobody delivers. What was set aside is free again, and what was tried is written down. */
  void refused(GatewayError why, boolean gone, List<TraceEntry> made) {
    attempts = made;
    error = why;
    cancelled = gone;
    if (progress.compareAndSet(Progress.Bare.OPEN, Progress.Bare.OVER)) {
      Funds held = funds;
      if (held != null) {
        held.settle(lines.of(made));
      }
    } else {
      close();
    }
  }

  /**
   * Somebody delivers.
   *
   * @return false when the turn was closed meanwhile: nobody will read or pay what is delivered
   */
  boolean delivers(AttemptLoop.Outcome.Delivers by, MeteredAnswer metered) {
    attempts = by.attempts();
    return progress.compareAndSet(Progress.Bare.OPEN, new Progress.Answering(by, metered));
  }

  /** The answer has ended, and is paid. */
  void ended(MeteredAnswer.End how, List<TraceEntry> made) {
    Funds held = funds;
    if (held != null) {
      held.settle(lines.of(made, how));
    }
    end = how;
  }

  /** The answer of this endpoint went beyond what it was asked for, and was cut. */
  void cut(String endpoint) {
    cut = endpoint;
  }

  /** Whether the last answer that was cut is this endpoint's. */
  boolean isCut(String endpoint) {
    return endpoint.equals(cut);
  }

  /** Who delivers; null when nobody does. */
  AttemptLoop.Outcome.@Nullable Delivers delivers() {
    return progress.get() instanceof Progress.Answering now ? now.by() : null;
  }

  /** The answer that has begun; null when none has. */
  @Nullable MeteredAnswer answer() {
    return progress.get() instanceof Progress.Answering now ? now.answer() : null;
  }

  /** Why nobody delivers; null when somebody does. */
  @Nullable GatewayError error() {
    return error;
  }

  /** Nobody delivers because nobody waits any more. */
  boolean cancelled() {
    return cancelled;
  }

  /** How the answer ended; null before that. */
  MeteredAnswer.@Nullable End end() {
    return end;
  }

  /** What it costs; null while its answer has not ended, and when there is none. */
  @Nullable Bill bill() {
    MeteredAnswer.End how = end;
    return how == null ? null : how.bill();
  }

  /** The facts of its attempts, and what the one that delivers lost in translation. */
  List<TraceEntry> attempts() {
    AttemptLoop.Outcome.Delivers by = delivers();
    if (by == null || by.losses().all().isEmpty()) {
      return attempts;
    }
    var all = new ArrayList<>(attempts);
    all.add(new TraceEntry.Translated(by.candidate().endpoint().id(), by.losses().all()));
    return all;
  }

  /** Ends whatever of it is under way. What was settled stays settled. */
  void close() {
    close(EndCause.CALLER);
  }

  /** As {@link #close()}, for another cause than the caller. */
  void close(EndCause cause) {
    if (progress.get() instanceof Progress.Answering now) {
      now.answer().close(cause);
    } else if (progress.compareAndSet(Progress.Bare.OPEN, Progress.Bare.OVER)) {
      Funds held = funds;
      if (held != null) {
        held.release();
      }
    } else if (!isOver()) {
      close(cause); // somebody began to deliver in between
    }
  }
}
