/**
 * The plugin free-router: chooses a model that costs nothing for requests to router/free. Start
 * reading at {@link io.strowger.plugins.freerouter.FreeRouterProvider}.
 */
@NullMarked
package io.strowger.plugins.freerouter;

import org.jspecify.annotations.NullMarked;
