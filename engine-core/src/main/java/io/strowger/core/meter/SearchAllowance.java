package io.strowger.core.meter;

import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.Tool;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Computes how many searches an upstream may make and charge for a request: for {@code
 * web_search_options} and for search tools that are passed on. The result is a bound if the request
 * states one or is given one by {@link #withBounds}; otherwise it is the usual number, and further
 * searches are an overrun.
 *
 * <p>Contract: messages fact sheet, section 2, "Tools"; responses fact sheet, "Request".
 */
public final class SearchAllowance {
  /** The number of searches assumed when the request does not state one. */
  public static final int DEFAULT_SEARCHES = 5;

  private static final String MAX_USES = "max_uses";

  private SearchAllowance() {}

  /**
   * Returns the number of searches that a request may make.
   *
   * @return at least 0 and at most {@link Integer#MAX_VALUE}
   */
  public static int of(InferenceRequest request) {
    long optionSearches =
        (request.parameterMask() & Parameter.WEB_SEARCH_OPTIONS.bit()) != 0 ? DEFAULT_SEARCHES : 0;
    Json.Obj searchParameters = Tool.upstreamSearchParameters(request.tools());
    if (searchParameters != null) {
      long maxSearches = bound(searchParameters.get(MAX_USES));
      optionSearches = maxSearches < 0 ? DEFAULT_SEARCHES : maxSearches;
    }
    long toolSearches =
        switch (request.dialect()) {
          case MESSAGES -> messagesSearches(request.tools());
          case RESPONSES -> responsesSearches(request);
          case CHAT, GEMINI -> 0; // no tool of an upstream can be declared there
        };
    return (int) Math.min(Integer.MAX_VALUE, optionSearches + toolSearches);
  }

  /**
   * Returns the request with a bound added to each upstream search tool that may have one and lacks
   * it, since the hold covers no more; the same request when nothing is missing.
   */
  public static InferenceRequest withBounds(InferenceRequest request) {
    Dialect dialect = request.dialect();
    return request.tools().stream().noneMatch(tool -> isUnbounded(tool, dialect))
        ? request
        : request.toBuilder()
            .tools(request.tools().stream().map(tool -> withBounds(tool, dialect)).toList())
            .build();
  }

  private static boolean isUnbounded(Tool tool, Dialect dialect) {
    return switch (tool) {
      case Tool.Function function -> false;
      case Tool.Server server ->
          server.isUpstreamSearch() && bound(server.parameters().get(MAX_USES)) < 0;
      case Tool.Unknown unknown ->
          dialect == Dialect.MESSAGES && isSearch(unknown.type()) && maxUses(unknown) < 0;
    };
  }

  private static Tool withBounds(Tool tool, Dialect dialect) {
    if (!isUnbounded(tool, dialect)) {
      return tool;
    }
    if (tool instanceof Tool.Server server) {
      return Tool.Server.upstreamSearch(
          server.parameters().with(MAX_USES, Json.of(DEFAULT_SEARCHES)));
    }
    return tool instanceof Tool.Unknown unknown && unknown.source() instanceof Json.Obj source
        ? new Tool.Unknown(unknown.type(), source.with(MAX_USES, Json.of(DEFAULT_SEARCHES)))
        : tool;
  }

  private static long messagesSearches(List<Tool> tools) {
    long sum = 0;
    for (Tool tool : tools) {
      if (tool instanceof Tool.Unknown unknown && isSearch(unknown.type())) {
        long maxSearches = maxUses(unknown);
        sum += maxSearches < 0 ? DEFAULT_SEARCHES : maxSearches;
      }
    }
    return sum;
  }

  /** Returns the tool's bound; -1 when it has none. */
  private static long maxUses(Tool.Unknown tool) {
    return tool.source() instanceof Json.Obj source ? bound(source.get(MAX_USES)) : -1;
  }

  /** Returns a bound; -1 when the value is not a number of at least 0. */
  private static long bound(@Nullable Json value) {
    return value instanceof Json.Num number
        ? Math.clamp(number.asLong().orElse(-1), -1, Integer.MAX_VALUE)
        : -1;
  }

  /** Returns the bound of all searches: in this dialect one number covers all upstream tools. */
  private static long responsesSearches(InferenceRequest request) {
    if (!hasSearch(request)) {
      return 0;
    }
    long maxSearches = bound(request.member("max_tool_calls"));
    return maxSearches < 0 ? DEFAULT_SEARCHES : maxSearches;
  }

  private static boolean hasSearch(InferenceRequest request) {
    for (Tool tool : request.tools()) {
      if (tool instanceof Tool.Unknown unknown
          && (isSearch(unknown.type()) || containsSearch(unknown.source()))) {
        return true;
      }
    }
    for (Message message : request.messages()) {
      for (Part part : message.parts()) {
        if (part instanceof Part.Unknown unknown
            && unknown.type().equals("additional_tools")
            && containsSearch(unknown.source())) {
          return true;
        }
      }
    }
    return false;
  }

  /** Returns whether one of the nested tools is a search. */
  private static boolean containsSearch(Json container) {
    Json.Arr tools = container instanceof Json.Obj object ? object.list("tools") : null;
    for (int i = 0; tools != null && i < tools.size(); i++) {
      if (tools.get(i) instanceof Json.Obj tool) {
        String type = tool.text("type");
        if (type != null && isSearch(type) || containsSearch(tool)) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Returns whether a tool type, known or not, is a charged search. Searches of files and of tools
   * are not charged.
   */
  private static boolean isSearch(String type) {
    return type.contains("search")
        && !type.startsWith("file_search")
        && !type.startsWith("tool_search");
  }
}
