package io.strowger.plugins.webfetch;

import io.strowger.plugins.webclient.PluginErrors;
import io.strowger.plugins.webclient.WebClient;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Tool;
import io.strowger.spi.plugin.ConfigSchema;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Field;
import io.strowger.spi.plugin.Fields;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.Transport;
import io.strowger.spi.provider.Transports;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lets a model read web pages by offering it the tool {@code router:web_fetch}. An entry of this
 * plugin cannot switch the tool off; a request that should not have the tool must omit the entry.
 *
 * <p>Contract: "Plugins", {@code web-fetch}; plugins fact sheet, section 6.
 */
public final class WebFetchProvider
    implements PluginProvider.Configurable, PluginProvider.Networked {
  public static final Field<List<String>> ALLOWED_DOMAINS =
      Fields.texts("allowed_domains", "The only domains whose pages are fetched.");

  public static final Field<List<String>> BLOCKED_DOMAINS =
      Fields.texts("blocked_domains", "The domains whose pages are not fetched.");

  public static final Field<Long> MAX_CONTENT_TOKENS =
      Fields.integer(
          "max_content_tokens",
          1,
          Long.MAX_VALUE,
          null,
          "The maximum length of a page in tokens, approximately, at least 1. A longer "
              + "page is cut.");

  public static final Field<Long> MAX_USES =
      Fields.integer(
          "max_uses",
          1,
          Long.MAX_VALUE,
          null,
          "The maximum number of pages per request, at least 1. Further calls of the tool"
              + " get an error.");

  private static final Descriptor DESCRIPTOR =
      Descriptor.interceptor("web-fetch")
          .order(650) // around the loop that runs the tool
          .schema(
              new ConfigSchema(
                  List.of(ALLOWED_DOMAINS, BLOCKED_DOMAINS, MAX_CONTENT_TOKENS, MAX_USES), false))
          .build();

  /** Setting: the maximum size of a page in bytes, both as sent and decompressed. */
  public static final Field<Long> MAX_BYTES =
      Fields.integer(
          "max_bytes",
          1,
          1 << 30,
          5L << 20,
          "The maximum size of a page in bytes, both as sent and decompressed, from 1 to "
              + "1,073,741,824.");

  /** Setting: the maximum time for a page, redirects included, in milliseconds. */
  public static final Field<Long> TIMEOUT_MS =
      Fields.integer(
          "timeout_ms",
          1,
          600_000,
          10_000L,
          "The time limit for fetching a page, redirects included, in milliseconds, from "
              + "1 to 600,000.");

  /** Setting: the maximum number of redirects that are followed for a page. */
  public static final Field<Long> MAX_REDIRECTS =
      Fields.integer(
          "max_redirects",
          0,
          20,
          5L,
          "The maximum number of redirects that are followed, from 0 to 20.");

  /** Setting: the User-Agent header. */
  public static final Field<String> USER_AGENT =
      new Field<>(
          "user_agent",
          WebFetchProvider::userAgent,
          null,
          "The value of the header User-Agent. If absent, the name of this program.",
          Json.object().put("type", "string").build(),
          true);

  private static final ConfigSchema SETTINGS =
      new ConfigSchema(List.of(MAX_BYTES, TIMEOUT_MS, MAX_REDIRECTS, USER_AGENT), false);

  private final @Nullable Transport transport;
  // shared with copies that have other settings, to bound the PDFs read at once
  private final PageText pages;
  private final WebFetchTool tool;

  /** Creates a provider without a transport; its tool and plugin report that they cannot run. */
  public WebFetchProvider() {
    this(null, new PageText(), WebFetchTool.LIMITS, null);
  }

  /**
   * @param transport must not connect to addresses that callers may not reach; closed by the caller
   */
  public WebFetchProvider(Transport transport) {
    this(transport, new PageText(), WebFetchTool.LIMITS, null);
  }

  private WebFetchProvider(
      @Nullable Transport transport,
      PageText pages,
      WebClient.Limits limits,
      @Nullable String userAgent) {
    this.transport = transport;
    this.pages = pages;
    WebClient web =
        transport == null
            ? null
            : userAgent == null ? new WebClient(transport) : new WebClient(transport, userAgent);
    tool = new WebFetchTool(web, pages, limits);
  }

  private static String userAgent(Json member, Field.Reporter problems) {
    if (member instanceof Json.Str text
        && !text.text().isBlank()
        && text.text().length() <= 1_000
        && text.text().chars().allMatch(c -> c >= ' ' && c < 0x7F)) {
      return text.text();
    }
    problems.report("", "must be 1 to 1000 characters of printable ASCII", member);
    return "";
  }

  @Override
  public ConfigSchema settings() {
    return SETTINGS;
  }

  @Override
  public PluginProvider with(PluginConfig settings) {
    var limits =
        new WebClient.Limits(
            Duration.ofMillis(settings.get(TIMEOUT_MS)),
            Math.toIntExact(settings.get(MAX_BYTES)),
            Math.toIntExact(settings.get(MAX_REDIRECTS)));
    return new WebFetchProvider(
        transport, pages, limits, settings.isSet(USER_AGENT) ? settings.get(USER_AGENT) : null);
  }

  @Override
  public PluginProvider withTransports(Transports transports) {
    return new WebFetchProvider(transports.web());
  }

  @Override
  public Descriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public List<ServerTool> tools() {
    return List.of(tool);
  }

  @Override
  public Plugin create(PluginConfig config, Catalog catalog) {
    Json.Obj parameters = parameters(config);
    return new WebFetch(
        new Tool.Server(WebFetchTool.TYPE, parameters, null), tool.unusableReason(parameters));
  }

  /** Returns the parameters with which a request would declare the tool. */
  private static Json.Obj parameters(PluginConfig config) {
    var parameters = Json.object();
    for (Field<List<String>> list : List.of(ALLOWED_DOMAINS, BLOCKED_DOMAINS)) {
      if (config.isSet(list)) {
        parameters.put(
            list.name(), Json.array(config.get(list).stream().<Json>map(Json::of).toList()));
      }
    }
    for (Field<Long> number : List.of(MAX_CONTENT_TOKENS, MAX_USES)) {
      if (config.isSet(number)) {
        parameters.put(number.name(), config.get(number));
      }
    }
    return parameters.build();
  }

  /**
   * Offers the tool to a request that does not declare it itself.
   *
   * @param tool the declaration of the tool
   * @param unusableReason the reason why the tool cannot run; null when it can
   */
  private record WebFetch(Tool.Server tool, @Nullable String unusableReason)
      implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      if (unusableReason != null) {
        throw PluginErrors.of(request, "web-fetch", unusableReason);
      }
      for (Tool declared : request.tools()) {
        if (declared instanceof Tool.Server server && server.type().equals(tool.type())) {
          return chain.proceed(request);
        }
      }
      var tools = new ArrayList<>(request.tools());
      tools.add(tool);
      return chain.proceed(
          request.toBuilder()
              .tools(tools)
              .parameters(request.parameterMask() | Parameter.TOOLS.bit())
              .build());
    }
  }
}
