package io.strowger.spi.plugin;

import io.strowger.spi.catalog.Catalog;
import java.lang.ref.WeakReference;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A value that is computed once for each catalog, such as a ranking of its models, and shared by
 * all configurations of a provider. Keep it in a field of the provider:
 *
 * <pre>{@code
 * private final PerCatalog<CodingModels> models = new PerCatalog<>(CodingModels::of);
 *
 * public RouterPlugin create(PluginConfig config, Catalog catalog) {
 *   return new CodingRouter(models.of(catalog), config.get(MAX_PRICE));
 * }
 * }</pre>
 *
 * <p>Keeps the value of the latest catalog only, and holds that catalog weakly. Safe on any thread;
 * two threads that ask at the same time may both compute.
 *
 * @param <T> the type of the value, which must be immutable
 */
public final class PerCatalog<T> {
  private final Function<Catalog, T> compute;
  private volatile @Nullable Latest<T> latest;

  private record Latest<T>(WeakReference<Catalog> catalog, T value) {}

  /**
   * @param compute the pure function that computes the value; must not return null
   */
  public PerCatalog(Function<Catalog, T> compute) {
    this.compute = Objects.requireNonNull(compute, "compute");
  }

  /**
   * Returns the value for this catalog; computes it unless this is the catalog of the previous
   * call.
   */
  public T of(Catalog catalog) {
    Latest<T> cached = latest;
    if (cached != null && cached.catalog().refersTo(catalog)) {
      return cached.value();
    }
    T value = Objects.requireNonNull(compute.apply(catalog), "computed");
    latest = new Latest<>(new WeakReference<>(catalog), value);
    return value;
  }
}
