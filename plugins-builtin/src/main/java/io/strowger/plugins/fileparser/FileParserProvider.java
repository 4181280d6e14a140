package io.strowger.plugins.fileparser;

import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.ConfigSchema;
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
  /** The {@code pdf} object; its {@code engine} is a string when it is there. */
  public static final Field<Json.Obj> PDF =
      new Field<>(
          "pdf",
          FileParserProvider::pdf,
          Json.Obj.EMPTY,
          "How PDF documents are read: engine names the way; absent: what the model can do itself.",
          Json.object()
              .put("type", "object")
              .put(
                  "properties",
                  Json.object().put("engine", Json.object().put("type", "string").build()).build())
              .build(),
          false);

  private static Json.Obj pdf(Json member, Field.Reporter problems) {
    if (!(member instanceof Json.Obj options)) {
      problems.problem("", "must be an object", member);
      return Json.Obj.EMPTY;
    }
    Json engine = options.get("engine");
    if (engine != null && !(engine instanceof Json.Str) && !(engine instanceof Json.Null)) {
      problems.problem("/engine", "must be a string", engine);
    }
    return options.detached();
  }

  private static final Descriptor DESCRIPTOR =
      new Descriptor(
          "file-parser", "0", 400, ConfigSchema.of(PDF), List.of(), Descriptor.Status.INACTIVE);

  @Override
  public Descriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public Plugin create(PluginConfig config, Prepared prepared) {
    return new Plugin.Inactive("parsing files is not part of this version");
  }
}
