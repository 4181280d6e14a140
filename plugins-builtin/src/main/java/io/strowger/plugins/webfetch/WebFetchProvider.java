package io.strowger.plugins.webfetch;

import io.strowger.plugins.webclient.WebClient;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Tool;
import io.strowger.spi.plugin.ConfigSchema;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Field;
import io.strowger.spi.plugin.Fields;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.spi.provider.Transport;
import java.util.List;

/**
 * Lets a model read pages: offers it the tool {@code router:web_fetch}. Cannot be switched off in
 * an entry: a request that does not want it does not name it.
 *
 * <p>Contract: "Plugins", {@code web-fetch}; plugins fact sheet, section 6.
 */
public final class WebFetchProvider implements PluginProvider {
  public static final Field<List<String>> ALLOWED_DOMAINS =
      Fields.texts("allowed_domains", "Only pages of these domains.");

  public static final Field<List<String>> BLOCKED_DOMAINS =
      Fields.texts("blocked_domains", "No pages of these domains.");

  public static final Field<Long> MAX_CONTENT_TOKENS =
      Fields.whole(
          "max_content_tokens",
          1,
          Long.MAX_VALUE,
          null,
          "Tokens of a page, roughly, at least 1; what is longer is cut.");

  public static final Field<Long> MAX_USES =
      Fields.whole(
          "max_uses",
          1,
          Long.MAX_VALUE,
          null,
          "Most pages per request, at least 1; beyond it the tool gives an error.");

  private static final Descriptor DESCRIPTOR =
      Descriptor.interceptor("web-fetch")
          .order(650) // around the loop that runs the tool
          .schema(
              new ConfigSchema(
                  List.of(ALLOWED_DOMAINS, BLOCKED_DOMAINS, MAX_CONTENT_TOKENS, MAX_USES), false))
          .build();

  private final WebFetchTool tool;

  /** For a gateway that has no transport for pages: its tool and plugin say so. */
  public WebFetchProvider() {
    tool = new WebFetchTool(null, new PageText());
  }

  /**
   * @param transport must not connect to addresses that callers are not to reach; the caller's to
   *     close
   */
  public WebFetchProvider(Transport transport) {
    tool = new WebFetchTool(new WebClient(transport), new PageText());
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
        new Tool.Server(WebFetchTool.TYPE, parameters, null), tool.unusable(parameters));
  }

  /** As a request would declare the tool. */
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
}
