package io.strowger.core.tools;

import io.strowger.spi.error.GatewayException;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Part;
import io.strowger.spi.plugin.Interceptor.Chain;
import io.strowger.spi.plugin.ServerTool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tool calls of one request. For each call the model receives a result or the reason why there
 * is none, and the request continues. Confined to the request's thread.
 */
final class ToolRun {
  private static final Logger log = LoggerFactory.getLogger(ToolRun.class);

  private static final int MAX_RESULT_BYTES = 1 << 20;

  private final OfferedTools tools;
  private final ToolCallCounter tally;
  private final ToolArguments arguments;
  private final Chain chain;
  private final Map<String, Integer> runCounts = new TreeMap<>();
  private final Map<String, List<Json>> earlierResults =
      new HashMap<>(); // results by function name

  ToolRun(OfferedTools tools, ToolCallCounter tally, ToolArguments arguments, Chain chain) {
    this.tools = tools;
    this.tally = tally;
    this.arguments = arguments;
    this.chain = chain;
  }

  OfferedTools tools() {
    return tools;
  }

  /** Returns how often each tool was run, by type in alphabetical order. */
  Map<String, Integer> runCounts() {
    return runCounts;
  }

  /**
   * A call and its result.
   *
   * @param failed whether the call failed, so that the result is the reason
   */
  record CompletedCall(Part.ToolCall call, String type, Json result, boolean failed) {}

  /** Returns the result of a call that is not run because of the limit. */
  CompletedCall refuse(Part.ToolCall call, OfferedTools.Offer offer, int maxCalls) {
    return failedCall(
        call, offer, "Not run: at most " + maxCalls + " tool calls are run for a request.");
  }

  /**
   * Runs one call.
   *
   * @param turnRequest the request of the turn, with the tools that the caller declared
   */
  CompletedCall run(Part.ToolCall call, OfferedTools.Offer offer, InferenceRequest turnRequest) {
    int runsBefore = runCounts.getOrDefault(offer.type(), 0);
    CompletedCall completedCall = complete(call, offer, turnRequest);
    if (runCounts.getOrDefault(offer.type(), 0) > runsBefore) { // it ran: the arguments were valid
      earlierResults(offer).add(completedCall.result());
    }
    return completedCall;
  }

  private List<Json> earlierResults(OfferedTools.Offer offer) {
    return earlierResults.computeIfAbsent(offer.name(), name -> new ArrayList<>());
  }

  private CompletedCall complete(
      Part.ToolCall call, OfferedTools.Offer offer, InferenceRequest turnRequest) {
    try {
      return switch (arguments.read(call.arguments(), offer.tool().spec())) {
        case ToolArguments.Result.Invalid(String reason, List<String> problems) ->
            failedCall(call, offer, reason, problems);
        case ToolArguments.Result.Valid(Json.Obj validArguments, String note) -> {
          if (note != null) {
            chain.note(note);
          }
          yield invoke(
              call,
              offer,
              new ServerTool.Invocation(
                  validArguments, offer.parameters(), turnRequest, earlierResults(offer)));
        }
      };
    } catch (ServerTool.ToolException e) {
      String reason = e.getMessage();
      return failedCall(call, offer, reason == null ? "The tool failed." : reason);
    } catch (GatewayException e) {
      return failedCall(call, offer, e.error().message());
    } catch (RuntimeException | Error bug) {
      log.error("the tool {} failed", offer.type(), bug);
      chain.note("the tool " + offer.type() + " failed");
      return failedCall(call, offer, "The tool failed.");
    }
  }

  private CompletedCall invoke(
      Part.ToolCall call, OfferedTools.Offer offer, ServerTool.Invocation invocation)
      throws ServerTool.ToolException {
    tally.addExecuted();
    runCounts.merge(offer.type(), 1, Integer::sum);
    Json result = offer.tool().run(invocation, chain);
    if (result == null) {
      chain.note("the tool " + offer.type() + " returned nothing");
      return failedCall(call, offer, "The tool returned nothing.");
    }
    if (result.writtenLength() > MAX_RESULT_BYTES) {
      chain.note("the tool " + offer.type() + " returned more than " + MAX_RESULT_BYTES + " bytes");
      return failedCall(call, offer, "The tool returned more than a model can read.");
    }
    return new CompletedCall(call, offer.type(), result, false);
  }

  private static CompletedCall failedCall(
      Part.ToolCall call, OfferedTools.Offer offer, String reason) {
    return failedCall(call, offer, reason, List.of());
  }

  private static CompletedCall failedCall(
      Part.ToolCall call, OfferedTools.Offer offer, String reason, List<String> problems) {
    Json.Obj.Builder result = Json.object().put("error", reason);
    if (!problems.isEmpty()) {
      result.put("problems", Json.array(problems.stream().map(Json::of).toList()));
    }
    return new CompletedCall(call, offer.type(), result.build(), true);
  }
}
