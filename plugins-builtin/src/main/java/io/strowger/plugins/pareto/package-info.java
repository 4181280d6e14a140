/**
 * The plugin pareto-router: chooses a coding model by score and price for requests to
 * router/pareto-code. Start reading at {@link io.strowger.plugins.pareto.ParetoRouterProvider}.
 */
@NullMarked
package io.strowger.plugins.pareto;

import org.jspecify.annotations.NullMarked;
