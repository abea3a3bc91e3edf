//! A module of Python finds the interpreter's symbols when it is loaded; some linkers must be told.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
