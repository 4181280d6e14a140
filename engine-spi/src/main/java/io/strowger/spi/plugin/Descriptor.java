package io.strowger.spi.plugin;

import java.util.List;
import java.util.Objects;

/**
 * How a plugin describes itself.
 *
 * @param id what a request calls it; lower case, unique among the registered ones
 * @param version of the plugin, for decision logs
 * @param position where it acts; lower comes first or is further out. Ties go by id
 * @param schema of its entry
 * @param slugs models that stand for it, such as {@code router/auto}
 * @param status whether its behaviour exists
 */
public record Descriptor(
    String id,
    String version,
    int position,
    ConfigSchema schema,
    List<String> slugs,
    Status status) {

  /** Whether a plugin does anything. */
  public enum Status {
    ACTIVE,
    /** Entries are validated, accepted and noted; asking for its slug or tool is a 400. */
    INACTIVE
  }

  public Descriptor {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(version, "version");
    Objects.requireNonNull(schema, "schema");
    slugs = List.copyOf(slugs);
    Objects.requireNonNull(status, "status");
  }
}
