package io.strowger.core.decisionlog;

import io.strowger.core.routing.PlannedAttempt;
import io.strowger.core.routing.RecordedJson;
import io.strowger.core.routing.RoutePlan;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A recorded plan, without the reasons: they follow from the inputs of the decision. */
public sealed interface LoggedPlan {
  /** A plan with candidates, in the order in which they are attempted. */
  record Attempts(List<Candidate> candidates) implements LoggedPlan {
    public Attempts {
      candidates = List.copyOf(candidates);
    }

    @Override
    public String toString() {
      return candidates.stream().map(Candidate::toString).collect(Collectors.joining(", "));
    }
  }

  /**
   * One candidate.
   *
   * @param endpoint {@link io.strowger.spi.catalog.Endpoint#id()}
   * @param model index of the model among the requested ones, from 0
   * @param byokKey id of the customer's own key; null for the gateway's
   * @param probe whether the attempt tests if the endpoint has recovered
   */
  record Candidate(String endpoint, int model, @Nullable String byokKey, boolean probe) {
    @Override
    public String toString() {
      return endpoint
          + (model == 0 ? "" : " for requested model " + (model + 1))
          + (byokKey == null ? "" : " with key " + byokKey)
          + (probe ? " as a probe" : "");
    }
  }

  /**
   * A refusal: no endpoint can take the request.
   *
   * @param message for people; {@code sameAs} ignores it
   */
  record NoRoute(ErrorCode code, String message) implements LoggedPlan {
    @Override
    public String toString() {
      return code + ": " + message;
    }
  }

  /** Returns whether both have equal candidates in equal order, or refusals with equal codes. */
  default boolean sameAs(LoggedPlan other) {
    return switch (this) {
      case Attempts attempts -> attempts.equals(other);
      case NoRoute(var code, var message) -> other instanceof NoRoute that && code == that.code;
    };
  }

  static LoggedPlan of(RoutePlan plan) {
    return switch (plan) {
      case RoutePlan.Attempts attempts -> {
        var candidates = new ArrayList<Candidate>();
        for (PlannedAttempt candidate : attempts.candidates()) {
          candidates.add(
              new Candidate(
                  candidate.endpoint().id(),
                  candidate.modelIndex(),
                  candidate.byokKey(),
                  candidate.probe()));
        }
        yield new Attempts(candidates);
      }
      case RoutePlan.NoRoute noRoute ->
          new NoRoute(noRoute.error().code(), noRoute.error().message());
    };
  }

  /** Returns the JSON form; members with default values are left out. */
  default Json.Obj toJson() {
    return switch (this) {
      case Attempts(var candidates) ->
          Json.object()
              .put("candidates", Json.array(candidates.stream().map(LoggedPlan::json).toList()))
              .build();
      case NoRoute(var code, var message) ->
          Json.object().put("refused", code.name()).put("message", message).build();
    };
  }

  private static Json json(Candidate candidate) {
    Json.Obj.Builder json = Json.object().put("endpoint", candidate.endpoint());
    if (candidate.model() != 0) {
      json.put("model", candidate.model());
    }
    if (candidate.byokKey() != null) {
      json.put("byok", candidate.byokKey());
    }
    if (candidate.probe()) {
      json.put("probe", true);
    }
    return json.build();
  }

  /**
   * Reads the JSON form that {@link #toJson()} returns.
   *
   * @throws IllegalArgumentException when the document has another form
   */
  static LoggedPlan fromJson(Json.Obj json) {
    var document = new RecordedJson(json);
    if (!document.isAbsent("refused")) {
      return new NoRoute(document.constant("refused", ErrorCode.class), document.text("message"));
    }
    var candidates = new ArrayList<Candidate>();
    for (RecordedJson candidate : document.objects("candidates")) {
      candidates.add(
          new Candidate(
              candidate.text("endpoint"),
              candidate.intNumber("model", 0),
              candidate.optionalText("byok"),
              candidate.flag("probe", false)));
    }
    return new Attempts(candidates);
  }
}
