package io.strowger.core.plan;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.routing.ModelRef;

/**
 * How a request names a model; a {@code strategy} of {@code router_metadata}. Routing fact sheet,
 * sections 10 and 15.
 */
public enum Naming {
  /** By its id, ignoring case, with or without dynamic variants. */
  DIRECT,
  /** By an alias the catalog has for it. */
  ALIAS,
  /** As the latest model of its family. */
  LATEST;

  /**
   * Returns how a name refers to a model of the catalog; {@link #DIRECT} when it names none.
   *
   * @param requested the name as the request has it
   */
  public static Naming of(String requested, Catalog catalog) {
    ModelInfo exact = catalog.model(requested);
    if (exact != null) {
      return of(requested, exact);
    }
    ModelRef ref = ModelRef.parse(requested);
    if (ModelNames.isLatest(ref)) {
      return LATEST;
    }
    String staticName = Variants.of(ref.variants()).appendTo(ref.slug());
    ModelInfo model = catalog.model(staticName);
    if (model != null) {
      return of(staticName, model);
    }
    ModelInfo base = catalog.model(ref.slug());
    return base == null ? DIRECT : of(ref.slug(), base);
  }

  private static Naming of(String name, ModelInfo model) {
    return name.equalsIgnoreCase(model.id()) ? DIRECT : ALIAS;
  }
}
