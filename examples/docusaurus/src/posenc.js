import "posenc";
