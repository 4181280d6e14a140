package io.strowger.plugins.fileparser;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Field;
import io.strowger.spi.plugin.Plugin;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import java.util.List;

/**
 * Turns documents into text for models that do not read them. Its entries are checked; the parsing
 * itself is not part of this version.
 *
 * <p>Contract: "Plugins", {@code file-parser}; plugins fact sheet, section 7.
 */
public final class FileParserProvider implements PluginProvider {
  /** The last one is an old name of {@code cloudflare-ai}. */
  private static final List<String> ENGINES =
      List.of("mistral-ocr", "cloudflare-ai", "native", "pdf-text");

  /** The {@code pdf} object. */
  public static final Field<Json.Obj> PDF =
      new Field<>(
          "pdf",
          FileParserProvider::pdf,
          Json.Obj.EMPTY,
          "How PDF documents are read: engine names the way; absent: what the model can do itself.",
          schema(),
          false);

  private static Json.Obj pdf(Json member, Field.Reporter problems) {
    if (!(member instanceof Json.Obj options)) {
      problems.problem("", "must be an object", member);
      return Json.Obj.EMPTY;
    }
    Json engine = options.get("engine");
    if (engine != null && !isEngine(engine)) {
      problems.problem("/engine", "must be one of " + String.join(", ", ENGINES), engine);
    }
    return options.detached();
  }

  private static boolean isEngine(Json engine) {
    return engine instanceof Json.Str str && ENGINES.contains(str.text());
  }

  private static Json.Obj schema() {
    var engine =
        Json.object()
            .put("type", "string")
            .put("enum", Json.array(ENGINES.stream().map(Json::of).toList()));
    return Json.object()
        .put("type", "object")
        .put("properties", Json.object().put("engine", engine.build()).build())
        .build();
  }

  private static final Descriptor DESCRIPTOR =
      Descriptor.interceptor("file-parser")
          .version("0")
          .order(400)
          .fields(PDF)
          .status(Descriptor.Status.INACTIVE)
          .build();

  @Override
  public Descriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public Plugin create(PluginConfig config, Catalog catalog) {
    return new Plugin.Inactive("parsing files is not part of this version");
  }
}
